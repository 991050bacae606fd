/// A snapshot of the work of a manager since its creation, and of the work in progress.
///
/// ```swift
/// let statistics = manager.statistics
/// print(statistics.memoryHits, statistics.loads, statistics[.decode].latency.mean)
/// ```
///
/// From its beginning on, every request is counted in exactly one of ``inFlight``, ``memoryHits``, ``diskHits``,
/// ``revalidations``, ``loads``, ``cancellations`` and ``failures``. The steps of the manager's `decode` and `encode`
/// methods are not counted.
public struct ManagerStatistics: Sendable, Hashable, Codable {
    /// The number of requests in progress.
    public var inFlight = 0
    /// The number of requests that memory answered.
    public var memoryHits = 0
    /// The number of requests that were answered from a disk tier.
    public var diskHits = 0
    /// The number of requests that were answered from a cache, after the source had confirmed that the image is still
    /// valid.
    public var revalidations = 0
    /// The number of requests that were answered by a load from the source.
    public var loads = 0
    /// The number of requests that were cancelled.
    public var cancellations = 0
    /// For each error code, the number of requests that failed with it. Codes without failures are left out.
    public var failures: [ImageError.Code: Int] = [:]

    /// For each error code, the number of failures that did not stop a request, such as failures of a cache.
    public var issues: [ImageError.Code: Int] = [:]
    /// The number of retries of loads.
    public var retries = 0
    /// The statistics of each stage: `resolve`, `query`, `load`, `decode`, `transform`, `encode` and `store`. The stage
    /// `resolve` counts only requests that cannot be resolved at once, and alternative URLs.
    public var stages: [ImageError.Stage: StageStatistics] = [:]
    /// The statistics of the manager's caches (``ImageManager/cacheStatistics``).
    public var caches = CacheStatistics()

    /// Creates statistics in which all numbers are zero.
    public init() {}

    /// The number of requests that were answered.
    public var finished: Int { memoryHits + diskHits + revalidations + loads }

    /// The number of requests that have begun.
    public var begun: Int { inFlight + finished + cancellations + failures.values.reduce(0, +) }

    /// The statistics of a stage; all zero for a stage that does not exist.
    public subscript(stage: ImageError.Stage) -> StageStatistics { stages[stage] ?? StageStatistics() }
}
