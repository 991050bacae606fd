/// A check of ``checkMemoryCache(checks:_:)`` for a part of the contract of memory caches.
public enum MemoryCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// A stored image is found immediately and replaces an earlier one. The same object is returned.
    case storing
    /// Keys that differ in one byte are different keys, whatever their length and characters.
    case keys
    /// Removed images are not found again, even if code retains them, and no other image is removed.
    case removing
    /// An expired image is not found, and its successor has its own time to live. The reported remaining time is
    /// correct, if the cache reports one.
    case expiry
    /// Removed and replaced images are released.
    case lettingGo
    /// A list of the variants of a source is complete and correct, if the cache supports it.
    case listing
    /// A cache with statistics counts every look-up once, and reports its contents.
    case statistics
    /// Concurrent threads do not interfere with each other.
    case threadSafety
}
