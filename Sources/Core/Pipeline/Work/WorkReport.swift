/// A report from work in progress to its waiters; nil for what has not changed.
struct WorkReport: Sendable {
    /// The progress of the load.
    var progress: LoadProgress?
    /// The bytes that are arriving, for previews.
    var bytes: ImageBytes?
    /// The picture as far as it is known.
    var preview: Image?

    /// This report with what a newer one says over it.
    func updated(by newer: WorkReport) -> WorkReport {
        WorkReport(
            progress: newer.progress ?? progress, bytes: newer.bytes ?? bytes, preview: newer.preview ?? preview)
    }
}
