/// Where an original may come from.
enum OriginalAccess: Hashable, Sendable {
    /// A cache, and nowhere else.
    case cacheOnly
    /// A cache, or whoever loads it.
    case cacheFirst
    /// Whoever loads it, who is asked whether what a cache has still holds.
    case refresh
}
