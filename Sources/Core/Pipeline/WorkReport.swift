/// What work tells those who wait for it before it is done: what has changed, nil for what has not.
struct WorkReport: Sendable {
    /// How far the load has come.
    var progress: LoadProgress?
    /// The bytes that are arriving, for whoever makes previews of them.
    var bytes: ImageBytes?
    /// The picture as far as it is known.
    var preview: Image?

    /// This report with what a newer one says over it.
    func updated(by newer: WorkReport) -> WorkReport {
        WorkReport(
            progress: newer.progress ?? progress, bytes: newer.bytes ?? bytes, preview: newer.preview ?? preview)
    }
}
