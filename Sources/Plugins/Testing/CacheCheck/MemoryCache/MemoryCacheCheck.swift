/// A part of the contract of memory caches that ``checkMemoryCache(checks:_:)`` can check.
public enum MemoryCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// An image is found as soon as it is stored, and a lookup returns the very image that was stored last for its key.
    case storing
    /// Keys that differ in one byte are different keys, whatever their length and characters.
    case keys
    /// Removed images are not found again, even if other code retains them, and no other image is removed.
    case removing
    /// An expired image is not found, and an image that replaces it has its own time to live. If the cache reports
    /// remaining times, they are correct.
    case expiry
    /// Removed and replaced images are released.
    case lettingGo
    /// If the cache can list the variants of a source, the list is complete and correct.
    case listing
    /// A cache with statistics counts every lookup once, and reports its contents.
    case statistics
    /// Concurrent threads do not interfere with each other.
    case threadSafety
}
