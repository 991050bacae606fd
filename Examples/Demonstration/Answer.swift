import CalotypeStandard

/// The response of a manager, and the time from the request to the response.
struct Answer: Sendable {
    let image: Image
    /// The source of the image.
    let source: ImageResponse.Source
    /// The metrics of the request.
    let metrics: ImageMetrics
    let duration: Duration

    /// Sends a request, and waits for the response.
    init(to request: ImageRequest, by manager: ImageManager) async throws(ImageError) {
        let start = ContinuousClock.now
        let response = try await manager.response(for: request)
        duration = start.duration(to: .now)
        image = response.image
        source = response.source
        metrics = response.metrics
    }

    /// The number of loaded bytes; nil if nothing was loaded.
    var loadedByteCount: Int? {
        metrics.steps.first { $0.stage == .load }?.byteCount
    }
}
