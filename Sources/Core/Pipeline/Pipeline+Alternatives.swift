extension Pipeline {
    /// The response of the first URL that has one: the request's own, or else one of its alternatives, in their order.
    ///
    /// Each is asked as a request of its own would be, so that caches know what it brings under its own key. Throws, as
    /// soon as it is cancelled, that alone; else what all of them failed with.
    /// - Parameters:
    ///   - resolved: What the request means by its own URL.
    ///   - resolve: What it means by another one.
    ///   - respond: The response by what it means.
    func firstResponse(
        _ resolved: ResolvedRequest, resolving resolve: (URL) async throws -> ResolvedRequest,
        respond: (ResolvedRequest) async throws -> ImageResponse
    ) async throws -> ImageResponse {
        let alternatives = resolved.context[.alternatives]
        guard !alternatives.isEmpty else { return try await respond(resolved) }
        var asked: Set<String> = []
        var errors: [ImageError] = []
        for url in [resolved.url] + alternatives where asked.insert(url.transferText).inserted {
            if let error = errors.last { note(error, of: resolved) }
            do {
                return try await respond(errors.isEmpty ? resolved : resolve(url))
            } catch {
                let error = ImageError.wrapping(error, as: .loadFailed, stage: .load, message: "failed")
                guard !Task.isCancelled else { throw error }
                errors.append(error.asFailure.about(url.redacted(showing: resolved.context[.harmlessParameters])))
            }
        }
        throw ImageError.all(errors)
    }
}
