// The alternatives of a request.
extension RequestRunner {
    /// Returns the response of the first URL that has one: the request's own, or else one of its alternatives, in their
    /// order.
    ///
    /// Each URL is asked as a request of its own, so that caches keep what it brings under its own key. Throws what all
    /// URLs failed with. After a cancellation it throws that alone.
    /// - Parameter hasMissed: Whether memory was asked for the request's own URL just now.
    func firstResponse(to request: ResolvedRequest, hasMissed: Bool) async throws -> ImageResponse {
        let alternatives = request.context[.alternatives]
        guard !alternatives.isEmpty else { return try await response(to: request, hasMissed: hasMissed) }
        var asked: Set<String> = []
        var errors: [ImageError] = []
        for url in [request.url] + alternatives where asked.insert(url.transferText).inserted {
            if let error = errors.last { pipeline.note(error, of: request) }
            do {
                guard !errors.isEmpty else { return try await response(to: request, hasMissed: hasMissed) }
                let other = try await resolve(ImageRequest(url, context: task.request.context))
                return try await response(to: other, hasMissed: false)
            } catch {
                let error = ImageError.loading(error)
                guard !Task.isCancelled else { throw error }
                errors.append(error.asFailure.about(url.redacted(showing: request.context[.harmlessParameters])))
            }
        }
        throw ImageError.all(errors)
    }
}

extension ImageError {
    /// Any error of a load as an ``ImageError``.
    static func loading(_ error: any Error) -> ImageError {
        wrapping(error, as: .loadFailed, stage: .load, message: "could not be loaded")
    }
}
