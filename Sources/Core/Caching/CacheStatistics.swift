/// What the tiers of a cache were asked for and what they hold, at one moment.
public struct CacheStatistics: Sendable, Hashable, Codable {
    /// The memory tier; nil without one.
    public var memory: MemoryCacheStatistics?
    /// The data tier; nil without one.
    public var data: DataCacheStatistics?

    /// Of these tiers.
    public init(memory: MemoryCacheStatistics? = nil, data: DataCacheStatistics? = nil) {
        self.memory = memory
        self.data = data
    }
}
