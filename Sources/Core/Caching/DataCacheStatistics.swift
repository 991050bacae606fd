/// A snapshot of the work of a data cache since its creation, and of its contents.
///
/// The statistics include only the calls to one cache object. Other objects that use the same directory or server have
/// statistics of their own.
public struct DataCacheStatistics: Sendable, Hashable, Codable {
    /// The number of calls of one kind, such as reads, and the times that the calls took.
    public struct Latency: Sendable, Hashable, Codable {
        /// The number of calls.
        public var count = 0
        /// The total time of all calls.
        public var total = Duration.zero
        /// The time of the longest call.
        public var longest = Duration.zero
        /// The mean time of a call; zero if there were no calls.
        public var mean: Duration { count == 0 ? .zero : total / count }

        /// Creates a latency in which all values are zero.
        public init() {}

        mutating func add(_ time: Duration) {
            count += 1
            total += time
            longest = max(longest, time)
        }
    }

    /// The number of reads that found an entry.
    public var hits = 0
    /// The number of reads that found no entry.
    public var misses = 0
    /// The number of reads and stores that threw.
    public var failures = 0
    /// The number of bytes of the images (``CacheEntry/data``) in the entries that were found.
    public var bytesRead = 0
    /// The number of bytes that were written, including everything stored with an entry.
    public var bytesWritten = 0
    /// The number of stores that succeeded.
    public var insertions = 0
    /// The number of entries that were removed to keep within the limits.
    public var evictions = 0
    /// The number of entries that were removed because they had expired.
    public var expirations = 0
    /// The number of entries that were removed because they were damaged.
    public var repairs = 0
    /// The latency of reads, including those that found no entry and those that threw.
    public var reading = Latency()
    /// The latency of stores, including those that threw.
    public var writing = Latency()
    /// The number of entries, if the cache knows it without counting; otherwise nil.
    public var count: Int?
    /// The number of bytes that all entries take, if the cache knows it without counting; otherwise nil.
    public var byteCount: Int?

    /// Creates the statistics of a cache that has done nothing.
    public init() {}

    /// The fraction of reads that found an entry, from 0 to 1. Reads that threw are not included. Nil before the first
    /// hit or miss.
    public var hitRatio: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
