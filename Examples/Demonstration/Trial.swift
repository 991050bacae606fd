import CalotypeStandard

/// The measured loads of one picture. Each variant is requested three times: with empty caches, from disk and from
/// memory.
struct Trial: Sendable {
    /// The measured loads of one variant.
    struct Row: Sendable {
        let variant: Variant
        /// The response with empty caches.
        let first: Answer
        /// The response of a second manager, which has an empty memory cache and the disk cache that the first manager
        /// has filled.
        let second: Answer
        /// The mean duration of a hit in memory; nil if the memory cache does not hold the image.
        let memory: Duration?
        /// The similarity of the two responses and the image in memory.
        let likeness: Likeness

        /// The duration of the response from disk; nil if the image was not on disk.
        var disk: Duration? { second.source == .disk ? second.duration : nil }
    }

    /// The number of memory hits that are timed together. A single hit is too short to be measured reliably.
    private static let hitCount = 1000

    let offer: Offer
    let rows: [Row]

    /// Loads a picture, and measures the loads. All variants are requested at the same time. Throws the `ImageError` of
    /// the first variant that fails.
    /// - Parameters:
    ///   - offer: The picture.
    ///   - directory: The directory of the disk cache. Entries for the picture are removed before the first load.
    init(of offer: Offer, cachedIn directory: URL) async throws {
        let requests = Variant.all.map { offer.request.with($0.context) }
        let manager = Self.manager(cachedIn: directory)
        try await manager.remove(offer.request, allVariants: true)
        let first = try await Self.answers(to: requests, by: manager)
        // Images are delivered before they are on disk. A query of the cache waits until they are stored.
        for request in requests + [offer.request] { _ = try await manager.contains(request) }

        let later = Self.manager(cachedIn: directory)
        let second = try await Self.answers(to: requests, by: later)
        var rows: [Row] = []
        for (index, request) in requests.enumerated() {
            let (one, two) = (first[index], second[index])
            var likeness = Likeness(
                one.image.pixels, two.image.pixels, kept: await Self.kept(one.image, by: later)?.pixels)
            if let kept = later.cachedResponse(for: request) {
                likeness = likeness.worse(Likeness(two.image.pixels, kept.image.pixels))
            }
            rows.append(
                Row(
                    variant: Variant.all[index], first: one, second: two,
                    memory: try await Self.hit(of: request, by: later), likeness: likeness))
        }
        self.offer = offer
        self.rows = rows
    }

    /// Returns the image that results from writing an image as JPEG with the quality of the cache, and reading the
    /// file. Returns nil if JPEG cannot be written or read.
    private static func kept(_ image: Image, by manager: ImageManager) async -> Image? {
        guard let bytes = try? await manager.encode(image, as: .jpeg, context: [.compressionQuality(0.9)]) else {
            return nil
        }
        return try? await manager.decode(bytes)
    }

    private static func manager(cachedIn directory: URL) -> ImageManager {
        ImageManager(
            plugins: [.standard],
            context: [
                .imageCache(TieredCache(disk: DiskCache(at: directory))),
                // Data URIs and files are not cached by default. Here they are, so that there is something to compare.
                .storesDataURIs, .storesFiles,
            ])
    }

    private static func answers(to requests: [ImageRequest], by manager: ImageManager) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, try await Answer(to: request, by: manager)) }
            }
            var answers = [Answer?](repeating: nil, count: requests.count)
            for try await (index, answer) in group { answers[index] = answer }
            return answers.compactMap { $0 }
        }
    }

    private static func hit(of request: ImageRequest, by manager: ImageManager) async throws -> Duration? {
        guard manager.cachedResponse(for: request) != nil else { return nil }
        let start = ContinuousClock.now
        for _ in 0..<hitCount { _ = try await manager.response(for: request) }
        return start.duration(to: .now) / hitCount
    }

    // MARK: Results

    /// The similarity of the least similar variant.
    var likeness: Likeness { rows.reduce(.equal) { $0.worse($1.likeness) } }

    /// The size of the file of the picture, in bytes; nil if the file was not loaded.
    var byteCount: Int? { rows.lazy.compactMap(\.first.loadedByteCount).first }

    /// The format of the file, the size of its picture in pixels and its size in bytes, as a text for people.
    var description: String {
        let attributes = rows.first?.first.image.attributes
        let facts = [
            attributes?.format?.name, attributes?.originalSize?.description, byteCount.map { Quantity.bytes($0) },
        ]
        return facts.compactMap { $0 }.joined(separator: ", ")
    }
}
