extension Pipeline {
    /// The response of the first URL that has one: the request's own, or else one of its alternatives, in their order.
    ///
    /// Each is asked as a request of its own would be, so that caches know what it brings under its own key. Throws, as
    /// soon as it is cancelled, that alone; else what all of them failed with.
    /// - Parameters:
    ///   - resolution: What the request means by its own URL.
    ///   - resolve: What it means by another one.
    ///   - respond: The response by what it means.
    func firstResponse(
        _ resolution: Resolution, resolving resolve: (URL) async throws -> Resolution,
        respond: (Resolution) async throws -> ImageResponse
    ) async throws -> ImageResponse {
        let alternatives = resolution.context[.alternatives]
        guard !alternatives.isEmpty else { return try await respond(resolution) }
        var asked: Set<String> = []
        var errors: [ImageError] = []
        for url in [resolution.url] + alternatives where asked.insert(url.transferText).inserted {
            if let error = errors.last { note(error, of: resolution) }
            do {
                return try await respond(errors.isEmpty ? resolution : resolve(url))
            } catch {
                let error = ImageError.wrapping(error, as: .loadFailed, stage: .load, message: "failed")
                guard !Task.isCancelled else { throw error }
                errors.append(error.asFailure.about(url.redacted(showing: resolution.context[.harmlessParameters])))
            }
        }
        throw ImageError.all(errors)
    }
}
