/// A part of the contract of data caches that ``checkDataCache(checks:_:reopen:)`` can check.
public enum DataCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// Stored entries are returned complete, with every byte of their data and all other properties.
    case keeping
    /// A later entry replaces an earlier one, including its attributes.
    case replacing
    /// Keys that differ in one byte are different keys, whatever their length and characters.
    case keys
    /// `contains` returns whether a read finds an entry.
    case containing
    /// The answer of `immediateEntry(for:)` agrees with a read and is counted like a read. The answer `unknown` is
    /// always correct, and it is not counted.
    case answering
    /// An expired entry is neither returned nor reported as present.
    case expiring
    /// Removing a key removes its entry and no others. Removing it again is not an error.
    case removing
    /// Removing a source removes all its variants, and no variant of another source.
    case sources
    /// Removing a tag removes the entries with that tag and no others.
    case tags
    /// Removing by age removes the entries that have not been used for the given time, and no others.
    case age
    /// Clearing removes everything, and the cache remains usable.
    case clearing
    /// A cache with statistics counts every read and every store once.
    case statistics
    /// A cache that is opened later on the same store finds the entries and can remove them. Skipped without `reopen`.
    case reopening
    /// Concurrent threads find complete entries and do not interfere with each other.
    case threadSafety
}
