/// Runs a task from its request to its response: resolves the request, asks memory, the pipeline and the alternatives,
/// and shows placeholders meanwhile.
///
/// Made for requests that memory could not answer at once, or whose meaning is not known yet.
struct RequestRunner: Sendable {
    let task: ImageTask
    let layers: RequestResolver.Layers
    let resolver: RequestResolver
    /// The deadlines of tasks.
    let deadlines: Deadlines
    /// Begins to load the image of a placeholder; nil if no placeholders are shown.
    var loadPlaceholder: (@Sendable (ImageRequest) -> ImageTask)?

    var pipeline: Pipeline { resolver.pipeline }

    /// Runs the task to its end.
    /// - Parameter known: The meaning of the request, if memory was asked for it just now.
    func run(_ known: ResolvedRequest?) async {
        let result: Result<ImageResponse, ImageError>
        do {
            let request = if let known { known } else { try await resolved() }
            // The options processor may have left it no time.
            guard !task.isFinished else { return }
            task.prepare(request)
            let placeholders = beginPlaceholders(for: request)
            defer { placeholders?.cancel() }
            result = .success(
                try await resolver.firstResult(for: task.request, request, layers, waiter: task.waiter) { other in
                    try await response(to: other, hasMissed: known != nil && other === request)
                })
        } catch {
            // If the task had been cancelled it would have ended, and this result would be ignored.
            result = .failure(ImageError.loading(error).asFailure.about(task.request.subject))
        }
        task.finish(result)
    }

    /// Returns the response to the task's request, by its own URL or an alternative.
    /// - Parameter hasMissed: Whether memory was asked just now.
    func response(to request: ResolvedRequest, hasMissed: Bool) async throws -> ImageResponse {
        if !request.isRefreshed, let response = try await memoryResponse(to: request, countsMiss: !hasMissed) {
            return response
        }
        // A loader that loads through the manager which called it waits for other loads now.
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

    /// Returns the response with an image, which is stored.
    /// - Parameter work: The work that made it.
    func response(with output: PipelineOutput, _ work: RequestWork) async throws -> ImageResponse {
        try Task.checkCancellation()
        if output.original?.takeRefreshRequest() == true { pipeline.beginRefreshing(work.request) }
        let storing = try await pipeline.store(output, work)
        let data = work.request.variant.isOriginal ? try await pipeline.data(of: output.original, work) : nil
        return ImageResponse(
            request: task.request, image: output.image.scaled(by: work.request.scale), source: output.source,
            data: data, metrics: ImageMetrics(steps: output.steps + storing))
    }

    /// Begins work for a request.
    func begin(_ request: ResolvedRequest) -> RequestWork {
        RequestWork(request, for: task.waiter, after: pipeline.changes)
    }

    /// Returns the meaning of the task's request. Priority and timeout are from then on as the options processor says.
    private func resolved() async throws -> ResolvedRequest {
        let request = try await resolver.resolve(task.request, layers, for: task.waiter, isObserved: true)
        let merged = request.mergedContext
        let (priority, timeout) = (request.context[.priority], request.context[.timeout])
        if priority != merged[.priority], task.priority == merged[.priority] { task.priority = priority }
        if timeout != merged[.timeout] { task.end(after: timeout, by: deadlines) }
        return request
    }
}
