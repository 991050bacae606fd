/// The contents of a ``DiskCache``, counted by a walk over its directory.
public struct DiskInventory: Sendable, Hashable {
    /// One of the largest entries.
    public struct Item: Sendable, Hashable {
        /// The path of the entry's file.
        public let path: String
        /// The size of the file, in bytes.
        public let byteCount: Int
        /// The key of the entry without its secrets, for display; nil if this cache cannot read the entry. If secrets
        /// were removed from the key, it cannot be used to find the entry.
        public let key: VariantKey?
    }

    /// The number of entries, including those that have expired but have not been removed.
    public internal(set) var entryCount = 0
    /// The total size of the files of all entries, in bytes, including those that have expired but have not been
    /// removed.
    public internal(set) var byteCount = 0
    /// The number of entries that have expired but have not been removed.
    public internal(set) var expiredCount = 0
    /// The time from which the age of the oldest entry counts, in seconds since 1970; nil if there are no entries.
    public internal(set) var oldest: Double?
    /// The time from which the age of the newest entry counts, in seconds since 1970; nil if there are no entries.
    public internal(set) var newest: Double?
    /// The largest entries, in order of decreasing size.
    public internal(set) var largest: [Item] = []
    /// The number of reads that found an entry, by all processes that share the directory. Excludes reads that a
    /// process has not yet recorded in the directory.
    public internal(set) var hits = 0
    /// The number of reads that found no entry, by all processes that share the directory. Excludes reads that a
    /// process has not yet recorded in the directory.
    public internal(set) var misses = 0

    /// The fraction of reads that found an entry, from 0 to 1; nil if no reads are known.
    public var hitRatio: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
