/// A snapshot of the work of one stage of a manager since the manager's creation, and of the work in progress.
///
/// A step that several requests share is counted once. Each further request is counted in ``joins``.
public struct StageStatistics: Sendable, Hashable, Codable {
    /// The number of steps in progress, without those that wait for a free thread.
    public var running = 0
    /// The durations of the steps that succeeded, including those that found nothing.
    public var latency = LatencyHistogram()
    /// The number of successful steps that found nothing, such as lookups of missing cache entries.
    public var misses = 0
    /// The number of steps that failed. Not every failure makes a request fail: for example, a request treats a failed
    /// lookup like a miss.
    public var failures = 0
    /// The number of steps that were cancelled.
    public var cancellations = 0
    /// The number of steps that ended because there was not enough memory for them, and began again.
    public var postponements = 0
    /// The number of times that a request joined work of this stage that another request had begun. For `load`, this is
    /// the work of getting an original from a cache or from its source. For `query`, this is the work of reading an
    /// entry of a cache.
    public var joins = 0
    /// The number of bytes that successful steps read, loaded, wrote or encoded. For decoding and transforming, this is
    /// the number of bytes that the resulting images take in memory. Never exceeds `Int.max`.
    public var byteCount = 0

    /// Creates statistics in which all numbers are zero.
    public init() {}
}
