/// A check of ``checkDataCache(checks:_:reopen:)`` for a part of the contract of data caches.
public enum DataCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// Stored entries are returned complete: every byte and all attributes.
    case keeping
    /// A later entry replaces an earlier one, including its attributes.
    case replacing
    /// Keys that differ in one byte are different keys, whatever their length and characters.
    case keys
    /// `contains` agrees with a read.
    case containing
    /// An immediate answer agrees with a read and is counted like one. A cache that always answers `unknown` passes.
    case answering
    /// An expired entry is neither returned nor reported as present.
    case expiring
    /// Removal removes the entry and no other. Removing it again is no error.
    case removing
    /// Removing a source removes all its variants and no other source.
    case sources
    /// Removing a tag removes the entries with that tag and no others.
    case tags
    /// Removing by age removes the entries that were unused for that time and no others.
    case age
    /// Clearing removes everything, and the cache remains usable.
    case clearing
    /// A cache with statistics counts every read and every store once.
    case statistics
    /// A cache that is opened later on the same store has the entries and can remove them. Skipped if the cache cannot
    /// be reopened.
    case reopening
    /// Concurrent threads find complete entries and do not interfere with each other.
    case threadSafety
}
