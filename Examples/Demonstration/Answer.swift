import CalotypeStandard

/// The response of a manager to a request, and the time that it took.
struct Answer: Sendable {
    let image: Image
    /// The source of the image: the loader, the disk cache or the memory cache.
    let source: ImageResponse.Source
    /// The metrics of the request.
    let metrics: ImageMetrics
    /// The time from the request to the response.
    let duration: Duration

    /// Sends a request to a manager, and waits for the response.
    init(to request: ImageRequest, by manager: ImageManager) async throws(ImageError) {
        let start = ContinuousClock.now
        let response = try await manager.response(for: request)
        duration = start.duration(to: .now)
        image = response.image
        source = response.source
        metrics = response.metrics
    }

    /// The number of bytes that were loaded for the request; nil if nothing was loaded.
    var loadedByteCount: Int? {
        metrics.steps.first { $0.stage == .load }?.byteCount
    }
}
