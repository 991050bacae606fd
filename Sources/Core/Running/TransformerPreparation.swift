/// The loading of the images that transformers need (``ComposingTransformer``).
struct TransformerPreparation: Sendable {
    /// The URLs of the requests whose transformers are being prepared, from the first request to the one that needs an
    /// image of the next.
    @TaskLocal private static var urls: [URL] = []

    /// The greatest number of images that can need each other in a row.
    private static let maxDepth = 8

    /// Begins to load an image that is not shown.
    let load: @Sendable (ImageRequest) -> ImageTask

    /// Returns a context whose transformers have their images.
    ///
    /// Throws `transformFailed` if an image cannot be loaded, if it needs the request's own image in turn, or if images
    /// need others too many times. Throws `cancelled` if the task is cancelled.
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
        let tasks = Self.$urls.withValue(Self.urls + (url.map { [$0] } ?? [])) {
            steps.map { step in
                ((step as? any ComposingTransformer)?.sources ?? []).map { source in
                    let isTrusted = url.map { source.hasSameOrigin(as: $0) } ?? false
                    return load(ImageRequest(source, context: isTrusted ? companion : companion.withoutSecrets))
                }
            }
        }
        // If one image cannot be loaded, the others are not needed.
        defer { for task in tasks.joined() { task.cancel() } }
        var prepared: [any Transformer] = []
        for (step, tasks) in zip(steps, tasks) {
            guard let step = step as? any ComposingTransformer else {
                prepared.append(step)
                continue
            }
            var others: [Image] = []
            for task in tasks { others.append(try await image(of: task, for: step, demand)) }
            prepared.append(step.prepared(with: others))
        }
        return context.adding(context.layer(of: .transformers), [.transformers(prepared)])
    }

    /// Returns the image of a task that only this request waits for. The task has the priority of this request.
    private func image(of task: ImageTask, for step: any ComposingTransformer, _ demand: Demand) async throws -> Image {
        let observation = demand.observePriority { task.priority = $0 }
        defer { demand.endObserving(observation) }
        do {
            let image = try await withTaskCancellationHandler {
                try await task.response.image
            } onCancel: {
                task.cancel()
            }
            return image
        } catch let error as ImageError where error.code != .cancelled {
            throw ImageError(
                .transformFailed, stage: .transform, component: step.shownKey,
                message: "the image \(task.request.subject) could not be loaded",
                advice: error.advice, cause: error, isTransient: error.isTransient)
        }
    }

    /// Returns the context of the images that a request needs: that of the request, without the values that decide
    /// pixels or belong to a request that is shown.
    private static func companionContext(_ context: ResolvedContext, _ request: ImageContext) -> ImageContext {
        let offs = context.entries.map(\.setting.declaration)
            .filter { $0.effects.contains(.pixels) }.compactMap { try? $0.setting(from: "off") }
        return request.merging(ImageContext(offs)).merging([
            .off(.placeholders), .off(.alternatives), .off(.progressiveLoad), .off(.refreshCached),
            .off(.waitStoreCache), .off(.cacheKeyFilter), .off(.imageLoader),
        ])
    }

    private static let tooDeep = ImageError(
        .transformFailed, stage: .resolve,
        message: "more than \(maxDepth) images of transformers need each other in a row",
        advice: "do not add such transformers to the images that they need, for example in an options processor")

    private static func cycle(_ urls: [URL]) -> ImageError {
        ImageError(
            .transformFailed, stage: .resolve,
            message: "the images of transformers need each other: \(urls.map(\.redacted).joined(separator: ", then "))",
            advice: "do not add such transformers to the images that they need, for example in an options processor")
    }
}

extension ImageContext {
    /// The values that cannot contain secrets.
    fileprivate var withoutSecrets: ImageContext { ImageContext(settings.values.filter { !$0.declaration.isSecret }) }
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
