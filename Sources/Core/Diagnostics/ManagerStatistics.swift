/// A snapshot of the work of a manager since its creation, and of the work in progress.
///
/// ```swift
/// let statistics = manager.statistics
/// print(statistics.memoryHits, statistics.loads, statistics[.decode].latency.mean)
/// ```
///
/// Every request is counted in exactly one of the first seven, from its beginning on. What was decoded and encoded
/// apart from requests is not counted.
public struct ManagerStatistics: Sendable, Hashable, Codable {
    /// Requests under way.
    public var inFlight = 0
    /// Requests that memory answered.
    public var memoryHits = 0
    /// Requests that were answered with what a disk tier had.
    public var diskHits = 0
    /// Requests that were answered with what a cache had, after its source had said that it still holds.
    public var revalidations = 0
    /// Requests that were answered with what was loaded: the misses.
    public var loads = 0
    /// Requests that were cancelled.
    public var cancellations = 0
    /// Requests that failed, by the code of their errors; codes that there was none of are left out.
    public var failures: [ImageError.Code: Int] = [:]

    /// Failures that no request failed with, such as those of a cache, by code.
    public var issues: [ImageError.Code: Int] = [:]
    /// The number of retries.
    public var retries = 0
    /// The statistics of each stage: `resolve` for values that client code decides, `query`, `load`, `decode`,
    /// `transform`, `encode` and `store`.
    public var stages: [ImageError.Stage: StageStatistics] = [:]
    /// The statistics of the manager's caches (``ImageManager/cacheStatistics``).
    public var caches = CacheStatistics()

    /// Zeros.
    public init() {}

    /// Requests that were answered.
    public var finished: Int { memoryHits + diskHits + revalidations + loads }

    /// Requests that have begun.
    public var begun: Int { inFlight + finished + cancellations + failures.values.reduce(0, +) }

    /// The statistics of a stage; zeros for a stage that does not exist.
    public subscript(stage: ImageError.Stage) -> StageStatistics { stages[stage] ?? StageStatistics() }
}
