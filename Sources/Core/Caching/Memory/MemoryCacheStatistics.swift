/// A snapshot of the requests to a memory cache since its creation, and of its contents.
///
/// Unlike ``DataCacheStatistics``, this type contains no latencies: reading the clock twice would take as long as a
/// hit.
public struct MemoryCacheStatistics: Sendable, Hashable, Codable {
    /// The number of requests for an image that was in the cache. Requests that count as `weakHits` are not included.
    public var hits = 0
    /// The number of requests for an image that had been evicted, but was found because it was still retained.
    public var weakHits = 0
    /// The number of requests for an image that was not in the cache.
    public var misses = 0
    /// The number of images that were stored.
    public var insertions = 0
    /// The number of images that were evicted for lack of room, or by trimming.
    public var evictions = 0
    /// The number of requests for an image that had expired. Each is a miss as well.
    public var expirations = 0
    /// The number of images in the cache.
    public var count = 0
    /// The number of bytes of pixels in the cache.
    public var byteCount = 0

    /// Creates statistics in which all numbers are zero.
    public init() {}

    /// The fraction of requests that found their image, from 0 to 1; nil before the first request.
    public var hitRatio: Double? {
        let found = hits + weakHits
        return found + misses > 0 ? Double(found) / Double(found + misses) : nil
    }
}
