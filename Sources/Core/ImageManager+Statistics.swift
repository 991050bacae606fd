extension ImageManager {
    /// A snapshot of the manager's work since its creation, and of the work in progress. Returns at once.
    ///
    /// ``ManagerStatistics/prometheusText`` has it as a server is asked for it.
    public var statistics: ManagerStatistics { pipeline.counters.snapshot(caches: cacheStatistics) }
}
