extension RequestResolver {
    /// Tries a request's own URL, then its alternative URLs in order, and returns the first result.
    ///
    /// Each URL is resolved as a request with its own cache key. If all URLs fail, throws one error that contains all
    /// errors. If the task is cancelled, throws only the error of the current URL.
    /// - Parameters:
    ///   - preparation: Loads the images that transformers need; nil if the image is not needed, only its original.
    ///     Default: nil.
    ///   - body: Makes the result for a URL.
    func firstResult<Result>(
        for request: ImageRequest, _ resolved: ResolvedRequest, _ layers: Layers, waiter: any Waiter,
        preparing preparation: TransformerPreparation? = nil, _ body: (ResolvedRequest) async throws -> Result
    ) async throws -> Result {
        let alternatives = resolved.context[.alternatives]
        guard !alternatives.isEmpty else { return try await body(resolved) }
        var asked: Set<String> = []
        var errors: [ImageError] = []
        for url in [resolved.url] + alternatives where asked.insert(url.transferText).inserted {
            if let error = errors.last { pipeline.noteIssue(error, of: resolved) }
            do {
                guard !errors.isEmpty else { return try await body(resolved) }
                let other = ImageRequest(url, context: request.context)
                return try await body(
                    try await resolve(other, layers, for: waiter, isObserved: true, preparing: preparation))
            } catch {
                let error = ImageError.loading(error)
                guard !Task.isCancelled else { throw error }
                errors.append(error.asFailure.about(url.redacted(showing: resolved.context[.harmlessParameters])))
            }
        }
        throw ImageError.all(errors)
    }
}

extension ImageError {
    /// Converts an error of a load to an ``ImageError``. The code for a `CancellationError` is `cancelled`.
    static func loading(_ error: any Error) -> ImageError {
        wrapping(error, as: .loadFailed, stage: .load, message: "could not be loaded")
    }
}
