/// The loading of the images that transformers need (``ComposingTransformer``).
struct TransformerPreparation: Sendable {
    /// The URLs of the requests whose transformers are being prepared, from the first request to the one that needs an
    /// image of the next.
    @TaskLocal private static var urls: [URL] = []

    /// The greatest number of images that can need each other in a row.
    private static let maxDepth = 8

    /// The lane on which digests of images are computed.
    let lane: Lane
    /// Begins to load an image that is not shown.
    let load: @Sendable (ImageRequest) -> ImageTask

    /// Returns a context whose transformers have their images.
    ///
    /// Throws `transformFailed` if an image cannot be loaded, if it needs the request's own image in turn, or if images
    /// need others too many times; `notCached` if an image may come only from the cache, and is not there; and
    /// `cancelled` if the task is cancelled.
    /// - Parameters:
    ///   - context: The context of the request.
    ///   - url: The URL of the request; nil if bytes are decoded without a request.
    ///   - request: The values of the request itself, which its images get as well.
    ///   - demand: The demand of the request, whose priority the images get.
    func prepared(
        _ context: ResolvedContext, of url: URL?, _ request: ImageContext, for demand: Demand
    ) async throws -> ResolvedContext {
        let steps = context[.transformers]
        guard context.needsImages else { return context }
        try steps.checkParameters()
        if let url, Self.urls.contains(where: { $0.transferText.isSame(as: url.transferText) }) {
            throw Self.cycle(Self.urls + [url])
        }
        guard Self.urls.count < Self.maxDepth else { throw Self.tooDeep }
        let companion = Self.companionContext(context, request)
        // All images are loaded at the same time.
        let loads = Self.$urls.withValue(Self.urls + (url.map { [$0] } ?? [])) {
            steps.enumerated().flatMap { index, step in
                ((step as? any ComposingTransformer)?.sources ?? []).map { source in
                    let isTrusted = url.map { source.hasSameOrigin(as: $0) } ?? false
                    return (step: index, task: load(ImageRequest(source, context: companion(isTrusted))))
                }
            }
        }
        // If one image cannot be loaded, the others are not needed.
        defer { for load in loads { load.task.cancel() } }
        let observation = demand.observePriority { priority in
            for load in loads { load.task.priority = priority }
        }
        defer { demand.endObserving(observation) }
        let images = try await Self.images(of: loads.map { ($0.task, steps[$0.step].shownKey) })
        let prepared = try await lane.run(for: demand, job: Job()) { job in
            try steps.enumerated().map { index, step -> any Transformer in
                guard let step = step as? any ComposingTransformer else { return step }
                let others = zip(loads, images).filter { $0.0.step == index }.map(\.1)
                return try step.prepared(with: others, job: job)
            }
        }
        return context.replacing(.transformers(prepared))
    }

    /// Returns the images of tasks that only this request waits for, in the same order. Throws the error of the first
    /// task that fails.
    private static func images(of loads: [(task: ImageTask, step: String)]) async throws -> [Image] {
        try await withThrowingTaskGroup(of: (Int, Image).self) { group in
            for (index, load) in loads.enumerated() {
                group.addTask { (index, try await image(of: load.task, for: load.step)) }
            }
            var images: [(index: Int, image: Image)] = []
            for try await (index, image) in group { images.append((index, image)) }
            return images.sorted { $0.index < $1.index }.map(\.image)
        }
    }

    private static func image(of task: ImageTask, for step: String) async throws -> Image {
        do {
            return try await withTaskCancellationHandler {
                try await task.response.image
            } onCancel: {
                task.cancel()
            }
        } catch let error as ImageError where error.code != .cancelled {
            throw ImageError(
                error.code == .notCached ? .notCached : .transformFailed, stage: .transform, component: step,
                message: "the image \(task.request.subject) could not be loaded",
                advice: "correct its URL, or leave the transformer out", cause: error, isTransient: error.isTransient)
        }
    }

    /// Returns the values for the images that a request needs, depending on whether an image has the request's origin.
    private static func companionContext(
        _ context: ResolvedContext, _ request: ImageContext
    ) -> (_ isTrusted: Bool) -> ImageContext {
        // These belong to the request's own image.
        let own: Set<ContextDeclaration> = [
            ContextKey.imageLoader.declaration, ContextKey.imageCoder.declaration,
            ContextKey.cacheKeyFilter.declaration, ContextKey.queryMemoryData.declaration,
            ContextKey.preloadsFrames.declaration, ContextKey.cacheTags.declaration,
        ]
        let offs = context.entries.map(\.setting.declaration)
            .filter { $0.effects.contains(.pixels) && !own.contains($0) }
            .compactMap { try? $0.setting(from: "off") }
        return { isTrusted in
            let values = request.settings.values.filter {
                !own.contains($0.declaration) && (isTrusted || $0.identityText.isOne)
            }
            return ImageContext(values).merging(ImageContext(offs)).merging([
                .off(.transformers), .off(.placeholders), .off(.alternatives), .off(.progressiveLoad),
                .off(.refreshCached),
            ])
        }
    }

    private static let tooDeep = ImageError(
        .transformFailed, stage: .resolve, message: "the images of transformers are nested more than \(maxDepth) deep",
        advice: "do not add such transformers to the images that they need, for example in an options processor")

    private static func cycle(_ urls: [URL]) -> ImageError {
        ImageError(
            .transformFailed, stage: .resolve,
            message: "the images of transformers need each other: \(urls.map(\.redacted).joined(separator: ", then "))",
            advice: "do not add such transformers to the images that they need, for example in an options processor")
    }
}

extension URL {
    /// Returns whether two URLs have the same scheme, host and port.
    fileprivate func hasSameOrigin(as other: URL) -> Bool {
        let (one, other) = (normalized, other.normalized)
        return one.scheme == other.scheme && one.host() == other.host() && one.port == other.port
    }
}

extension ResolvedContext {
    /// Whether a transformer needs other images.
    var needsImages: Bool { self[.transformers].contains { $0 is any ComposingTransformer } }
}
