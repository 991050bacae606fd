extension ImageManager {
    /// What the manager has done since it was made, and what it is doing, at one moment. Returns at once.
    ///
    /// ``ManagerStatistics/prometheusText`` has it as a server is asked for it.
    public var statistics: ManagerStatistics { pipeline.counters.snapshot(caches: cacheStatistics) }
}
