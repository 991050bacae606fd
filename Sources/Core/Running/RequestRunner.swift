/// A runner that produces the response to a task's request. It resolves the request, tries its URLs in order, and shows
/// placeholders meanwhile.
struct RequestRunner: Sendable {
    let task: ImageTask
    let layers: RequestResolver.Layers
    let resolver: RequestResolver
    /// The deadlines of tasks.
    let deadlines: Deadlines
    /// The loading of images that transformers need.
    let preparation: TransformerPreparation
    /// The function that begins to load the image of a placeholder; nil if no placeholders are shown.
    var loadPlaceholder: (@Sendable (ImageRequest) -> ImageTask)?

    var pipeline: Pipeline { resolver.pipeline }

    /// Runs the task to its end.
    /// - Parameter known: The resolved request; nil if it has yet to be resolved. If ``ResolvedRequest/endsInMemory``
    ///   is true, the caller must have asked memory: the miss is not counted again.
    func run(_ known: ResolvedRequest?) async {
        let result: Result<ImageResponse, ImageError>
        do {
            let request = if let known { known } else { try await resolved() }
            // The timeout may have passed while the options processor ran.
            guard !task.isFinished else { return }
            task.prepare(request)
            let placeholders = beginPlaceholders(for: request)
            defer { placeholders?.cancel() }
            result = .success(
                try await resolver.firstResult(
                    for: task.request, request, layers, waiter: task.waiter, preparing: preparation
                ) { other in
                    try await response(to: other, hasMissed: known?.endsInMemory == true && other === request)
                })
        } catch {
            // A cancelled task has already ended, so that this result is ignored.
            result = .failure(ImageError.loading(error).asFailure.about(task.request.subject))
        }
        task.finish(result)
    }

    /// Returns the response to the task's request, from its own URL or an alternative.
    /// - Parameter hasMissed: Whether the statistics of memory already contain the miss.
    func response(to request: ResolvedRequest, hasMissed: Bool) async throws -> ImageResponse {
        if !request.isRefreshed, let response = try await memoryResponse(to: request, countsMiss: !hasMissed) {
            return response
        }
        // A loader that loads through its own manager waits for other loads from here on.
        let wait = try LoadTurn.current?.makeWay(for: request, among: pipeline.loadWaits)
        defer { withExtendedLifetime(wait) {} }
        if request.isRefreshed, let response = try await refreshedResponse(to: request) { return response }
        let work = begin(request)
        return try await response(with: try await pipeline.output(work), work)
    }

    /// Returns the response from memory; nil if memory does not have the image.
    func memoryResponse(to request: ResolvedRequest, countsMiss: Bool = true) async throws -> ImageResponse? {
        guard let image = pipeline.imageInMemory(request, countsMiss: countsMiss) else { return nil }
        let data = request.context[.queryMemoryData] ? try await pipeline.storedOriginal(begin(request)) : nil
        return ImageResponse(request: task.request, image: image, source: .memory, data: data)
    }

    /// Stores the image that `work` has made, and returns the response with this image.
    func response(with output: PipelineOutput, _ work: RequestWork) async throws -> ImageResponse {
        try Task.checkCancellation()
        if output.original?.takeRefreshRequest() == true { pipeline.beginRefreshing(work.request) }
        let storing = try await pipeline.store(output, work)
        let data = work.request.variant.isOriginal ? try await pipeline.data(of: output.original, work) : nil
        return ImageResponse(
            request: task.request, image: output.image.scaled(by: work.request.scale), source: output.source,
            data: data, metrics: ImageMetrics(steps: output.steps + storing))
    }

    /// Creates the work for a request, which is passed through the stages of the pipeline.
    func begin(_ request: ResolvedRequest) -> RequestWork {
        RequestWork(request, for: task.waiter, after: pipeline.changes)
    }

    /// Resolves the task's request, and applies a priority and a timeout that its options processor has changed. Keeps
    /// a priority that was set on the task meanwhile.
    private func resolved() async throws -> ResolvedRequest {
        let request = try await resolver.resolve(
            task.request, layers, for: task.waiter, isObserved: true, preparing: preparation)
        let merged = request.mergedContext
        let (priority, timeout) = (request.context[.priority], request.context[.timeout])
        if priority != merged[.priority], task.priority == merged[.priority] { task.priority = priority }
        if timeout != merged[.timeout] { task.end(after: timeout, by: deadlines) }
        return request
    }
}
