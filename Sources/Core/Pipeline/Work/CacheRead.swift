/// An entry of a cache, and how it was read.
struct CacheRead: Sendable {
    let entry: CacheEntry
    let step: ImageMetrics.Step
    /// Its place among those that wait to be decoded.
    let reservation: Backlog.Reservation
}
