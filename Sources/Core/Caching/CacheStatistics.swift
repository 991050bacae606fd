/// A snapshot of the requests to the tiers of a cache and of their contents.
public struct CacheStatistics: Sendable, Hashable, Codable {
    /// The memory tier; nil without one.
    public var memory: MemoryCacheStatistics?
    /// The disk tier; nil without one.
    public var data: DataCacheStatistics?

    /// Creates the statistics of these tiers.
    public init(memory: MemoryCacheStatistics? = nil, data: DataCacheStatistics? = nil) {
        self.memory = memory
        self.data = data
    }
}
