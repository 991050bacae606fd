/// A report from work in progress to its waiters; values that have not changed are nil.
struct WorkReport: Sendable {
    /// The progress of the load.
    var progress: LoadProgress?
    /// The bytes that are arriving, for previews.
    var bytes: ImageBytes?
    /// The latest preview.
    var preview: Image?
    /// The decoded original, before any transformer. Each request that shares the decode begins to store it.
    var decoded: PipelineOutput?

    /// Returns this report with the values of a newer one.
    func updated(by newer: WorkReport) -> WorkReport {
        WorkReport(
            progress: newer.progress ?? progress, bytes: newer.bytes ?? bytes, preview: newer.preview ?? preview,
            decoded: newer.decoded ?? decoded)
    }
}

/// A function that receives the reports of work in progress.
typealias ReportReceiver = @Sendable (WorkReport) -> Void
