/// A snapshot of the work of a data cache since its creation, and of its contents.
///
/// Counts what went through this object: others that share its directory or its server have their own.
public struct DataCacheStatistics: Sendable, Hashable, Codable {
    /// The distribution of the times that calls took.
    public struct Latency: Sendable, Hashable, Codable {
        /// The number of calls.
        public var count = 0
        /// The time of all together.
        public var total = Duration.zero
        /// The time of the longest.
        public var longest = Duration.zero
        /// The time of one on average; zero without any.
        public var mean: Duration { count == 0 ? .zero : total / count }

        /// No calls.
        public init() {}

        mutating func add(_ time: Duration) {
            count += 1
            total += time
            longest = max(longest, time)
        }
    }

    /// Reads that found an entry.
    public var hits = 0
    /// Reads that found none.
    public var misses = 0
    /// Reads and stores that threw.
    public var failures = 0
    /// The bytes of the entries that were found, as they were given.
    public var bytesRead = 0
    /// The bytes that were written, with all that belongs to an entry.
    public var bytesWritten = 0
    /// Stores that ended well.
    public var insertions = 0
    /// Entries that were removed because there were too many.
    public var evictions = 0
    /// Entries that were removed because their time was over.
    public var expirations = 0
    /// Entries that were removed because they were damaged.
    public var repairs = 0
    /// The reads, whatever they found.
    public var reading = Latency()
    /// The stores, those too that threw.
    public var writing = Latency()
    /// Entries that are held, as far as the cache knows without counting them; nil if it does not.
    public var count: Int?
    /// Bytes that are held, as far as the cache knows without counting them; nil if it does not.
    public var byteCount: Int?

    /// Creates statistics of a cache that has done nothing.
    public init() {}

    /// The part of the reads that found an entry, from 0 to 1; nil before the first.
    public var hitRatio: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
