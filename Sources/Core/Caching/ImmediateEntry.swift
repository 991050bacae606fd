/// The answer that a cache can give about an entry without waiting.
public enum ImmediateEntry: Sendable, Hashable {
    /// The entry, as a read finds it.
    case entry(CacheEntry)
    /// There is none that is valid.
    case absent
    /// The answer is not known without waiting, or something has to be repaired first. `entry(for:)` gives it, where
    /// blocking is allowed.
    case unknown

    /// The entry, where there is one.
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
        guard let data else { return .absent }
        return try data.immediateEntry(for: key)
    }
}
