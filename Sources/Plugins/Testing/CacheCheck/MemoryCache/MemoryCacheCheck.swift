/// A part of the contract of memory caches that ``checkMemoryCache(checks:_:)`` can try.
public enum MemoryCacheCheck: String, Sendable, Hashable, CaseIterable {
    /// An image is found right after it was stored, the very same, in place of the one that was there.
    case storing
    /// Keys that differ in a byte are different, of whatever length and characters.
    case keys
    /// Removed images are not found again, even while they are retained, and no other image is removed.
    case removing
    /// An image whose time is over is not found, and the next one under its key has its own time. A cache that says how
    /// long an image can still be found says what is so.
    case expiry
    /// Removed and replaced images are released.
    case lettingGo
    /// A cache that lists the variants of a source lists those that are there.
    case listing
    /// A cache that counts counts every look-up once, and what it holds.
    case statistics
    /// Several threads do not disturb each other.
    case threadSafety
}
