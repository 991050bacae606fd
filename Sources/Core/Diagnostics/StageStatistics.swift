/// A snapshot of the work of one stage of a manager since the manager's creation, and of the work in progress.
///
/// What several requests share is counted once, and each of the others as one of ``joins``.
public struct StageStatistics: Sendable, Hashable, Codable {
    /// Steps under way, those not included that wait for a free thread.
    public var running = 0
    /// The durations of the work that ended, whatever its result.
    public var latency = LatencyHistogram()
    /// Those of them that found nothing: look-ups of what a cache does not have.
    public var misses = 0
    /// Steps that failed. Not all make a request fail: a cache that fails has missed.
    public var failures = 0
    /// Steps that were cancelled.
    public var cancellations = 0
    /// Steps that gave way for want of memory, and began anew.
    public var postponements = 0
    /// The number of times that a waiter joined work of this stage that was in progress. For `load` that is an
    /// original, whether read or loaded; for `query` an entry of a cache.
    public var joins = 0
    /// Bytes that were read, loaded, written or encoded, of pixels that were decoded or transformed, by steps that were
    /// done; saturating.
    public var byteCount = 0

    /// Zeros.
    public init() {}
}
