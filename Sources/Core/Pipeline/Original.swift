/// What is known of a source once it is there: its bytes or, from loaders that give pixels, its image.
final class Original: Sendable {
    /// What there is to decode.
    enum Content: Sendable {
        case bytes(ImageBytes)
        case image(Image)

        /// How much memory it takes.
        var memoryByteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.memoryByteCount
            case .image(let image): image.pixels.byteCount
            }
        }
    }

    let content: Content
    /// Where it came from.
    let source: ImageResponse.Source
    /// What the loader said before the first byte, as far as a cache keeps that; nil for one from memory.
    let head: LoadHead?
    /// The entry that it was read from; nil for one that was loaded, and from memory.
    let entry: CacheEntry?
    let steps: [ImageMetrics.Step]
    /// When the entry expires that it was read from, in seconds since 1970; nil for never.
    let expiration: Double?
    /// Whether it, and what is made of it, may be kept on disk.
    let isStorable: Bool
    /// The stores of these very bytes.
    let stores = SharedStores()

    /// Its place among those that wait to be decoded.
    private struct Place {
        /// Until somebody takes it.
        var share: Backlog.Share?
        /// For as long as somebody has it.
        weak var taken: Backlog.Share?
    }

    private let place: Lock<Place>

    init(
        _ content: Content, source: ImageResponse.Source, head: LoadHead? = nil, entry: CacheEntry? = nil,
        steps: [ImageMetrics.Step] = [], expiration: Double? = nil, isStorable: Bool = true,
        share: Backlog.Share? = nil
    ) {
        self.content = content
        self.source = source
        self.head = head
        self.entry = entry
        self.steps = steps
        self.expiration = expiration
        place = Lock(Place(share: share))
        self.isStorable = isStorable
    }

    /// Its place among those that wait to be decoded, to be kept until it is: one for all who decode it at once, since
    /// its memory is there once.
    func share(in backlog: Backlog, for priority: Priority) -> Backlog.Share {
        place.withLock { place in
            let share = place.share ?? place.taken ?? backlog.share(content.memoryByteCount, for: priority)
            place.share = nil
            place.taken = share
            return share
        }
    }

    /// The original that was read from a cache.
    convenience init(_ read: CacheRead) {
        self.init(
            .bytes(ImageBytes(read.entry.data)), source: .disk, head: LoadHead(read.entry), entry: read.entry,
            steps: [read.step], expiration: read.entry.expiration, share: read.share)
    }

    /// Whether it was read from the data tier, be it that its source has confirmed it since.
    var isFromCache: Bool { entry != nil }

    /// This one, of which the source says that it still holds.
    /// - Parameter head: What the source said of it; nil where it said nothing.
    func revalidated(by head: LoadHead?, steps: [ImageMetrics.Step]) -> Original {
        Original(
            content, source: .revalidated, head: self.head?.updated(by: head) ?? head, entry: entry,
            steps: self.steps + steps, expiration: expiration, share: place.withLock { $0.share ?? $0.taken })
    }

    /// This one, where what was loaded in its place is no other: servers that know no validators send it again.
    func confirmed(by loaded: Original) -> Original? {
        guard let entry, let bytes = loaded.bytes, loaded.source == .loader, bytes.byteCount == entry.data.count,
            !bytes.isReadWhenAsked, bytes.data == entry.data
        else { return nil }
        return revalidated(by: loaded.head, steps: loaded.steps)
    }

    /// The bytes, where there are any.
    var bytes: ImageBytes? {
        guard case .bytes(let bytes) = content else { return nil }
        return bytes
    }
}
