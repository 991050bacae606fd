/// The contents of a ``DiskCache``, counted by a walk over its directory.
public struct DiskInventory: Sendable, Hashable {
    /// One of the largest entries.
    public struct Item: Sendable, Hashable {
        /// Its file.
        public let path: String
        /// The bytes of the file.
        public let byteCount: Int
        /// The key that it was stored for, without its secrets: for people, and no key to find the entry by where it
        /// had secrets. Nil when it cannot be read.
        public let key: VariantKey?
    }

    /// The entries, those too that have expired and not been removed.
    public internal(set) var entryCount = 0
    /// The bytes of their files.
    public internal(set) var byteCount = 0
    /// The entries that have expired and not been removed.
    public internal(set) var expiredCount = 0
    /// The time from which the age of the oldest entry counts, in seconds since 1970; nil without entries.
    public internal(set) var oldest: Double?
    /// The time from which the age of the newest entry counts, in seconds since 1970; nil without entries.
    public internal(set) var newest: Double?
    /// The largest entries, the largest first.
    public internal(set) var largest: [Item] = []
    /// The number of reads that found an entry, by all processes that share the directory, as far as they have told.
    public internal(set) var hits = 0
    /// Reads that found none.
    public internal(set) var misses = 0

    /// The part of the reads that found an entry, from 0 to 1; nil if none are known.
    public var hitRatio: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
