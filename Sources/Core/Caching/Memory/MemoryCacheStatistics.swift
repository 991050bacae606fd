/// A snapshot of the requests to a memory cache since its creation, and of its contents.
///
/// No times, as those of a data cache: reading the clock twice would take as long as a hit does.
public struct MemoryCacheStatistics: Sendable, Hashable, Codable {
    /// Images that were asked for and there, without those of `weakHits`.
    public var hits = 0
    /// Images that were asked for, had been evicted, and were found again because they were still retained.
    public var weakHits = 0
    /// Images that were asked for and not there.
    public var misses = 0
    /// Images that were stored and kept.
    public var insertions = 0
    /// Images that were given up for want of room, or by trimming.
    public var evictions = 0
    /// Images whose time was found to be over when they were asked for, each of which is a miss as well.
    public var expirations = 0
    /// Images that are held.
    public var count = 0
    /// Bytes of pixels that are held.
    public var byteCount = 0

    /// Zeros.
    public init() {}

    /// The fraction of requests that found their image, 0...1; nil before the first request.
    public var hitRatio: Double? {
        let found = hits + weakHits
        return found + misses > 0 ? Double(found) / Double(found + misses) : nil
    }
}
