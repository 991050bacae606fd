import Synchronization

/// A source's data: its bytes or, from loaders that give pixels, its image.
final class Original: Sendable {
    /// The content to decode.
    enum Content: Sendable {
        case bytes(ImageBytes)
        case image(Image)

        /// The memory that the content takes.
        var memoryByteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.memoryByteCount
            case .image(let image): image.pixels.byteCount
            }
        }
    }

    let content: Content
    /// The source of the original.
    let source: ImageResponse.Source
    /// The head that the loader told before the first byte, as far as a cache keeps it; nil for an original from
    /// memory.
    let head: LoadHead?
    /// The entry that it was read from; nil for one that was loaded, and from memory.
    let entry: CacheEntry?
    let steps: [ImageMetrics.Step]
    /// The expiration of the entry that the original was read from, in seconds since 1970; nil for never.
    let expiration: Double?
    /// Whether it, and what is made of it, may be kept on disk.
    let isStorable: Bool
    /// The stores of these very bytes.
    let stores: SharedStores
    /// The replacement that the original can become, and whether it is the last word; nil for an original from a cache.
    let replacement: Replacement?

    /// The place of bytes among those that wait to be decoded, for as long as it is retained.
    private final class Place: Sendable {
        private struct Reference {
            weak var reservation: Backlog.Reservation?
        }

        private let reference: Lock<Reference>

        init(_ reservation: Backlog.Reservation?) { reference = Lock(Reference(reservation: reservation)) }

        /// Returns the reserved memory that exists, or that `make` reserves.
        func reservation(or make: () -> Backlog.Reservation) -> Backlog.Reservation {
            reference.withLock { reference in
                let reservation = reference.reservation ?? make()
                reference.reservation = reservation
                return reservation
            }
        }
    }

    private let ownVersion: OriginalVersion
    private let wantsRefresh = Atomic(false)
    private let place: Place
    /// The reserved memory, until it is taken over.
    private let reservation: Lock<Backlog.Reservation?>

    init(
        _ content: Content, source: ImageResponse.Source, head: LoadHead? = nil, entry: CacheEntry? = nil,
        steps: [ImageMetrics.Step] = [], expiration: Double? = nil, isStorable: Bool = true,
        reservation: Backlog.Reservation? = nil
    ) {
        self.content = content
        self.source = source
        self.head = head
        self.entry = entry
        self.steps = steps
        self.expiration = expiration
        self.isStorable = isStorable
        stores = SharedStores()
        replacement = nil
        switch content {
        case .bytes(let bytes):
            let known = entry?.attributes[OriginalVersion.attribute] ?? OriginalVersion.digest(of: head?.validators)
            ownVersion = OriginalVersion(known, of: bytes)
        case .image(let image):
            let isRemembered = source == .memory
            ownVersion = OriginalVersion(
                isRemembered ? image.attributes.version : OriginalVersion.digest(of: head?.validators), of: nil)
        }
        place = Place(reservation)
        self.reservation = Lock(reservation)
    }

    /// - Parameter other: The same bytes, with the place and the stores that they have.
    private init(
        _ other: Original, source: ImageResponse.Source, head: LoadHead?, steps: [ImageMetrics.Step],
        reservation: Backlog.Reservation?, replacement: Replacement? = nil
    ) {
        content = other.content
        self.source = source
        self.head = head
        entry = other.entry
        self.steps = steps
        expiration = other.expiration
        isStorable = other.isStorable
        stores = other.stores
        self.replacement = replacement ?? other.replacement
        ownVersion = other.ownVersion
        place = other.place
        self.reservation = Lock(reservation)
    }

    /// Notes that the original is stale and still answers, and is to be refreshed behind the answer.
    func requestRefresh() { wantsRefresh.store(true, ordering: .relaxed) }

    /// Returns whether a refresh is to begin: true for one caller at most.
    func takeRefreshRequest() -> Bool { wantsRefresh.exchange(false, ordering: .relaxed) }

    /// The same, which keeps no place.
    var withoutPlace: Original { Original(self, source: source, head: head, steps: steps, reservation: nil) }

    /// Keeps no place any more: before it waits for anything but the decoder.
    func release() { _ = reservation.withLock { $0.take() } }

    /// Its place among the originals that wait to be decoded, kept until it is decoded: one for all its decodes, since
    /// its memory is there once.
    func reservation(in backlog: Backlog, for priority: Priority) -> Backlog.Reservation {
        // Once it is taken, it is no longer this one's to keep.
        defer { reservation.withLock { $0 = nil } }
        return place.reservation { backlog.reserve(content.memoryByteCount, for: priority) }
    }

    /// The original that was read from a cache.
    convenience init(_ read: CacheRead) {
        self.init(
            .bytes(ImageBytes(read.entry.data)), source: .disk, head: LoadHead(read.entry), entry: read.entry,
            steps: [read.step], expiration: read.entry.expiration, reservation: read.reservation)
    }

    /// Whether it was read from the disk tier, be it that its source has confirmed it since.
    var isFromCache: Bool { entry != nil }

    /// This one, of which the source says that it still holds.
    /// - Parameters:
    ///   - head: What the source said of it; nil if it said nothing.
    ///   - requestField: The value of a field of the request to which it said so.
    func revalidated(
        by head: LoadHead?, requestField: (_ name: String) -> String?, steps: [ImageMetrics.Step]
    ) -> Original {
        Original(
            self, source: .revalidated, head: self.head?.updated(by: head, requestField: requestField) ?? head,
            steps: self.steps + steps, reservation: reservation.withLock(\.self))
    }

    /// This one, where what was loaded in its place is no other: servers that know no validators send it again.
    func confirmed(by loaded: Original) -> Original? {
        guard let entry, let bytes = loaded.bytes, loaded.source == .loader, bytes.byteCount == entry.data.count,
            !bytes.isReadWhenAsked, bytes.data == entry.data
        else { return nil }
        // With the head of the answer: its tag may be another one, though the bytes, and so the version, are not.
        return Original(
            self, source: .revalidated, head: loaded.head ?? head, steps: steps + loaded.steps,
            reservation: reservation.withLock(\.self))
    }

    /// This one, as what a load has brought.
    func brought(by replacement: Replacement) -> Original {
        Original(
            self, source: source, head: head, steps: steps, reservation: reservation.withLock(\.self),
            replacement: replacement)
    }

    /// The version, found out here.
    var version: String? { ownVersion.text }

    /// Whether that takes a while.
    var takesTimeToTellVersion: Bool { ownVersion.takesTime }

    /// The image, where memory had it.
    var rememberedImage: Image? {
        guard source == .memory, case .image(let image) = content else { return nil }
        return image
    }

    /// The bytes, where there are any.
    var bytes: ImageBytes? {
        guard case .bytes(let bytes) = content else { return nil }
        return bytes
    }
}
