/// A part of the contract of data caches that ``checkDataCache(checks:_:reopen:)`` can try.
public enum DataCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// Stored entries come back: every byte, and all that belongs to them.
    case keeping
    /// A later entry takes the place of an earlier one, with all that belonged to it.
    case replacing
    /// Keys that differ in a byte are different, of whatever length and characters.
    case keys
    /// A cache that is asked whether it has an entry says what a read would.
    case containing
    /// The answer of a cache without waiting is the one of a read, and counts as one. Nothing to be tried of a cache
    /// that says nothing.
    case answering
    /// An entry is as good as absent from its date on, whether it is read or asked for.
    case expiring
    /// Removed entries are gone, and no other; removing them again is no error.
    case removing
    /// A source goes with all its variants, and no other source.
    case sources
    /// A tag takes the entries that carry it, and no others.
    case tags
    /// An age takes the entries that were not used for so long, and no others.
    case age
    /// Clearing removes everything, and the cache can be used again.
    case clearing
    /// A cache that counts counts every read and every store once.
    case statistics
    /// A cache that is opened later on the same store has the entries, and can remove them. Not tried of a cache that
    /// cannot be opened again.
    case reopening
    /// Several threads find whole entries, and do not disturb each other.
    case threadSafety
}
