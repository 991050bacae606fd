/// An entry of a cache, and the step that read it.
struct CacheRead: Sendable {
    let entry: CacheEntry
    let step: ImageMetrics.Step
    /// The entry's share of the bytes that wait to be decoded.
    let reservation: Backlog.Reservation
}
