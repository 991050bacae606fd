import CalotypeStandard

/// What a manager answered, and how long it took from the question to the answer.
struct Answer: Sendable {
    let image: Image
    /// Where it came from.
    let source: ImageResponse.Source
    /// What was done for it.
    let metrics: ImageMetrics
    let duration: Duration

    /// Asks, and waits for the answer.
    init(to request: ImageRequest, by manager: ImageManager) async throws(ImageError) {
        let start = ContinuousClock.now
        let response = try await manager.response(for: request)
        duration = start.duration(to: .now)
        image = response.image
        source = response.source
        metrics = response.metrics
    }

    /// The bytes that were loaded; nil when none were.
    var loadedByteCount: Int? {
        metrics.steps.first { $0.stage == .load }?.byteCount
    }
}
