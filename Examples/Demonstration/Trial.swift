import CalotypeStandard

/// One picture in all its variants, each asked for three times.
struct Trial: Sendable {
    /// One variant.
    struct Row: Sendable {
        let variant: Variant
        /// The answer when no cache had anything.
        let first: Answer
        /// The answer of a manager that has just begun, with the directory of the one before.
        let second: Answer
        /// How long a hit in memory took; nil when memory did not keep the image.
        let memory: Duration?
        /// How much the two answers, and what memory has, have in common.
        let likeness: Likeness

        /// How long it took from disk; nil when it was not kept there.
        var disk: Duration? { second.source == .disk ? second.duration : nil }
    }

    /// A hit in memory is shorter than what may come in between: so many are timed together.
    private static let hitCount = 1000

    let offer: Offer
    let rows: [Row]

    /// Loads the picture. The times are those of a program that wants all variants at the same time.
    /// - Parameters:
    ///   - offer: The picture.
    ///   - directory: The directory of the cache. What it has of the picture is removed.
    /// Throws the `ImageError` of the first variant that failed.
    init(of offer: Offer, cachedIn directory: URL) async throws {
        let requests = Variant.all.map { offer.request.with($0.context) }
        let manager = Self.manager(cachedIn: directory)
        try await manager.remove(offer.request, allVariants: true)
        let first = try await Self.answers(to: requests, by: manager)
        // Images are delivered before they are on disk. Who asks what the cache has is told when they are.
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

    /// What an image becomes where the cache keeps it as JPEG, of the quality that caches write; nil without JPEG.
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
                .imageCache(TieredCache(data: DiskCache(at: directory))),
                // Data URIs and files are at hand anyway; here there would be nothing to compare without.
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

    // MARK: What it showed

    /// The worst that any variant showed.
    var likeness: Likeness { rows.reduce(.equal) { $0.worse($1.likeness) } }

    /// The bytes of the picture's file; nil when none were loaded.
    var byteCount: Int? { rows.lazy.compactMap(\.first.loadedByteCount).first }

    /// The format of the file and the size of the picture in it, for people.
    var description: String {
        let attributes = rows.first?.first.image.attributes
        let facts = [
            attributes?.format?.name, attributes?.originalSize?.description, byteCount.map { Quantity.bytes($0) },
        ]
        return facts.compactMap { $0 }.joined(separator: ", ")
    }
}
