/// The answer that a cache can give about an entry without waiting.
public enum ImmediateEntry: Sendable, Hashable {
    /// The entry, as a read would return it.
    case entry(CacheEntry)
    /// The absence of a valid entry.
    case absent
    /// The cache cannot answer without waiting. Call `entry(for:)` where blocking is allowed.
    case unknown

    /// The entry; nil if it is absent or unknown.
    var entry: CacheEntry? {
        guard case .entry(let entry) = self else { return nil }
        return entry
    }
}

extension DataCache {
    public func immediateEntry(for key: VariantKey) throws -> ImmediateEntry { .unknown }
}

extension ImageCache {
    public func immediateEntry(for key: VariantKey) throws -> ImmediateEntry { .unknown }
}

extension TieredCache {
    public func immediateEntry(for key: VariantKey) throws -> ImmediateEntry {
        guard let disk else { return .absent }
        return try disk.immediateEntry(for: key)
    }
}
