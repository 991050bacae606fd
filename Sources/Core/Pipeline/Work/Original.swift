import Synchronization

/// The data of a source: its bytes, or an image. It is an image if the loader returned pixels, or if the decoded
/// original was found in memory.
final class Original: Sendable {
    /// The content to decode.
    enum Content: Sendable {
        case bytes(ImageBytes)
        case image(Image)

        /// The memory that the content takes, in bytes.
        var memoryByteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.memoryByteCount
            case .image(let image): image.pixels.byteCount
            }
        }
    }

    let content: Content
    /// The origin of the data.
    let source: ImageResponse.Source
    /// The head from the loader, or the part of it that the cache entry contains; nil if there is none.
    let head: LoadHead?
    /// The entry that the original was read from; nil for an original that was loaded or came from memory.
    let entry: CacheEntry?
    let steps: [ImageMetrics.Step]
    /// The expiration of the entry that the original was read from, in seconds since 1970; nil for never.
    let expiration: Double?
    /// Whether the original, and images made from it, may be stored on disk.
    let isStorable: Bool
    /// The store operations that write the original to caches. All requests that use the original share them.
    let stores: SharedStores
    /// The replacement of cached entries by this original; nil for an original from a cache.
    let replacement: Replacement?

    /// The reservation that all copies of an original share while its bytes wait to be decoded.
    private final class SharedReservation: Sendable {
        private struct Reference {
            weak var reservation: Backlog.Reservation?
        }

        private let reference: Lock<Reference>

        init(_ reservation: Backlog.Reservation?) { reference = Lock(Reference(reservation: reservation)) }

        /// Returns the existing reservation, or else a new one from `make`.
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
    private let sharedReservation: SharedReservation
    /// The reservation of the bytes that wait to be decoded; nil once a decode has taken it over.
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
        sharedReservation = SharedReservation(reservation)
        self.reservation = Lock(reservation)
    }

    /// Creates a copy of an original that shares its content, stores and version.
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
        sharedReservation = other.sharedReservation
        self.reservation = Lock(reservation)
    }

    /// Notes that the original is stale but may be used, and must be refreshed in the background.
    func requestRefresh() { wantsRefresh.store(true, ordering: .relaxed) }

    /// Returns whether a refresh was requested, and clears the request. If true, the caller must begin the refresh.
    func takeRefreshRequest() -> Bool { wantsRefresh.exchange(false, ordering: .relaxed) }

    /// The same original without a reservation.
    var withoutReservation: Original { Original(self, source: source, head: head, steps: steps, reservation: nil) }

    /// Releases the reservation. Call it before waiting for anything but the decoder.
    func release() { _ = reservation.withLock { $0.take() } }

    /// Returns the reservation of the content in `backlog`. All decodes of the content share it. The caller must retain
    /// it until the content is decoded.
    func reservation(in backlog: Backlog, for priority: Priority) -> Backlog.Reservation {
        // From here on the caller holds the reservation.
        defer { reservation.withLock { $0 = nil } }
        return sharedReservation.reservation { backlog.reserve(content.memoryByteCount, for: priority) }
    }

    /// Creates an original from an entry that was read from a cache.
    convenience init(_ read: CacheRead) {
        self.init(
            .bytes(ImageBytes(read.entry.data)), source: .disk, head: LoadHead(read.entry), entry: read.entry,
            steps: [read.step], expiration: read.entry.expiration, reservation: read.reservation)
    }

    /// Whether the original was read from the disk tier, even if its source has revalidated it since.
    var isFromCache: Bool { entry != nil }

    /// Returns the original after its source has confirmed that it is still valid.
    /// - Parameters:
    ///   - head: The head of the source's answer; nil if there is none.
    ///   - requestField: Returns the value of a field in the answered request.
    func revalidated(
        by head: LoadHead?, requestField: (_ name: String) -> String?, steps: [ImageMetrics.Step]
    ) -> Original {
        Original(
            self, source: .revalidated, head: self.head?.updated(by: head, requestField: requestField) ?? head,
            steps: self.steps + steps, reservation: reservation.withLock { $0 })
    }

    /// Returns this cached original, marked as revalidated, if the loaded bytes are the same. Returns nil if they
    /// differ or cannot be compared. A server without validators sends all bytes again, even if nothing has changed.
    func confirmed(by loaded: Original) -> Original? {
        guard let entry, let bytes = loaded.bytes, loaded.source == .loader, bytes.byteCount == entry.data.count,
            !bytes.isReadWhenAsked, bytes.data == entry.data
        else { return nil }
        // The head of the answer is used, since its tag may differ. The bytes are the same, and therefore the version
        // too.
        return Original(
            self, source: .revalidated, head: loaded.head ?? head, steps: steps + loaded.steps,
            reservation: reservation.withLock { $0 })
    }

    /// Returns a copy with the ``replacement`` of the load that brought the original.
    func brought(by replacement: Replacement) -> Original {
        Original(
            self, source: source, head: head, steps: steps, reservation: reservation.withLock { $0 },
            replacement: replacement)
    }

    /// The version, computed on the current thread if it is not known yet; nil if it cannot be determined.
    var version: String? { ownVersion.text }

    /// Whether `version` takes a while to compute.
    var takesTimeToTellVersion: Bool { ownVersion.takesTime }

    /// The image, if it came from a memory cache; otherwise nil.
    var rememberedImage: Image? {
        guard source == .memory, case .image(let image) = content else { return nil }
        return image
    }

    /// The bytes; nil if the content is an image.
    var bytes: ImageBytes? {
        guard case .bytes(let bytes) = content else { return nil }
        return bytes
    }
}
