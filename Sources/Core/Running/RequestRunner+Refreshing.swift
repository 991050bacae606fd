// Requests that ask their source even if a cache has the image.
extension RequestRunner {
    /// Returns the response to a request whose cached image must be checked with the source; nil if no cache has it.
    ///
    /// Shows the cached image first, and returns it again if it is still valid or if the delegate allows no load.
    func refreshedResponse(to request: ResolvedRequest) async throws -> ImageResponse? {
        guard let cached = try await cachedResponse(to: request) else { return nil }
        task.show(cached)
        if let failure = pipeline.failure(of: request) { throw failure }
        let work = begin(request)
        do {
            switch try await pipeline.refreshed(cached.image, work) {
            case .confirmed(let steps):
                return ImageResponse(
                    request: task.request, image: cached.image, source: .revalidated, data: cached.data,
                    metrics: ImageMetrics(steps: cached.metrics.steps + steps))
            case .replaced(let output):
                return try await response(with: output, work)
            }
        } catch let error as ImageError where error.code == .notCached {
            // The delegate does not allow a load from the source.
            return cached
        }
    }

    /// Returns the response from the caches, and stores its image in memory; nil if no cache has the image.
    private func cachedResponse(to request: ResolvedRequest) async throws -> ImageResponse? {
        if let response = try await memoryResponse(to: request) { return response }
        let work = begin(request)
        do {
            return try await response(with: try await pipeline.cachedOutput(work), work)
        } catch let error as ImageError where Self.absenceCodes.contains(error.code) {
            return nil
        }
    }

    /// The codes of errors that mean that no cache has an image to show. A damaged entry is already being removed.
    private static let absenceCodes: Set<ImageError.Code> = [.notCached, .badData, .unknownFormat]
}
