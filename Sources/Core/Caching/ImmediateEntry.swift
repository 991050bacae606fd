/// The answer that a cache can give about an entry without waiting.
public enum ImmediateEntry: Sendable, Hashable {
    /// The entry, as a read would return it.
    case entry(CacheEntry)
    /// The absence of a valid entry.
    case absent
    /// No answer without waiting, or without a repair first. Call `entry(for:)` where blocking is allowed.
    case unknown

    /// The entry, if there is one.
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
