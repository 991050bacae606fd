/// A runner that loads the bytes of a request's original without decoding them.
struct DataRunner: Sendable {
    /// The loaded bytes, and the source from which they came.
    typealias Loaded = (data: Data, source: ImageResponse.Source)

    let request: ImageRequest
    let layers: RequestResolver.Layers
    let resolver: RequestResolver
    let waiter: any Waiter
    /// The deadlines of requests.
    let deadlines: Deadlines

    private var pipeline: Pipeline { resolver.pipeline }

    /// Loads and returns the bytes of the request's original. Throws `timedOut` as soon as the timeout is over, and
    /// `CancellationError` as soon as the task is cancelled.
    /// - Parameter known: The resolved request; nil if it has yet to be resolved.
    func run(_ known: ResolvedRequest?) async throws -> Loaded {
        try Task.checkCancellation()
        let outcome = OneShot<Loaded>()
        let deadline = ReplaceableDeadline { timeout in
            deadlines.add(after: timeout) { outcome.resolve(.failure(ImageError.tookLonger(than: timeout))) }
        }
        deadline.set((known?.context ?? ResolvedContext(layers: layers.layers))[.timeout])
        defer { deadline.end() }
        // With a timeout of zero, nothing begins.
        if let result = outcome.take() { return try result.get() }
        let work = Task {
            do {
                let request = if let known { known } else { try await resolved(deadline) }
                // The timeout may have passed while the options processor ran.
                guard !outcome.isResolved else { return }
                outcome.resolve(.success(try await loaded(request)))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        defer { work.cancel() }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            outcome.resolve(.failure(CancellationError()))
        }
    }

    /// Resolves the request, and applies its priority, and the timeout if the options processor has changed it.
    private func resolved(_ deadline: ReplaceableDeadline) async throws -> ResolvedRequest {
        let resolved = try await resolver.resolve(request, layers, for: waiter, isObserved: true)
        waiter.demand.priority = resolved.context[.priority]
        let timeout = resolved.context[.timeout]
        if timeout != resolved.mergedContext[.timeout] { deadline.set(timeout) }
        return resolved
    }

    private func loaded(_ resolved: ResolvedRequest) async throws -> Loaded {
        try await resolver.firstResult(for: request, resolved, layers, waiter: waiter) { request in
            // A loader that loads through its own manager waits for other loads from here on.
            let wait = try LoadTurn.current?.makeWay(for: request, among: pipeline.loadWaits)
            defer { withExtendedLifetime(wait) {} }
            let work = RequestWork(request, for: waiter, after: pipeline.changes)
            let original = try await pipeline.undecodedOriginal(work)
            if original.takeRefreshRequest() { pipeline.beginRefreshing(request) }
            await pipeline.replaceCached(by: original, for: request)
            guard let data = try await pipeline.data(of: original, work) else {
                throw ImageError(
                    .loadFailed, stage: .load, message: "its loader returns an image instead of the bytes of a file",
                    advice: "load the image, and encode it")
            }
            return (data, original.source)
        }
    }
}

extension ImageError {
    /// Returns the error of a request that took longer than its timeout.
    static func tookLonger(than timeout: Duration) -> ImageError {
        ImageError(
            .timedOut, stage: .load, message: "took longer than \(timeout.contextText)",
            advice: "raise the context value `timeout`, or check the source")
    }
}
