/// A snapshot of the requests to the tiers of a cache, and of the contents of the tiers.
public struct CacheStatistics: Sendable, Hashable, Codable {
    /// The statistics of the memory tier; nil if there is none.
    public var memory: MemoryCacheStatistics?
    /// The statistics of the disk tier; nil if there is none.
    public var disk: DataCacheStatistics?

    /// Creates the statistics of a cache from those of its tiers. By default, the cache has no tiers.
    public init(memory: MemoryCacheStatistics? = nil, disk: DataCacheStatistics? = nil) {
        self.memory = memory
        self.disk = disk
    }
}
