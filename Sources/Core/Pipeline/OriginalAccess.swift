/// The places that an original may come from.
enum OriginalAccess: Hashable, Sendable {
    /// A cache, and nowhere else.
    case cacheOnly
    /// A cache, or the loader.
    case cacheFirst
    /// The loader, which is asked whether the cached copy is still valid.
    case refresh
}
