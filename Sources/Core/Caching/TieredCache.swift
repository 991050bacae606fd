/// Memory before disk: the cache that managers have unless told otherwise.
///
/// ```swift
/// let cache = TieredCache(memory: BoundedMemoryCache(costLimit: 64 << 20), data: DiskCache(at: folder))
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(cache)])
/// ```
///
/// Either tier may be left out, or be somebody else's.
public final class TieredCache: ImageCache {
    /// The memory tier; nil for none.
    public let memory: (any MemoryCache)?
    /// The disk tier; nil for none.
    public let data: (any DataCache)?

    /// A cache of these tiers.
    public init(memory: (any MemoryCache)? = BoundedMemoryCache(), data: (any DataCache)? = nil) {
        self.memory = memory
        self.data = data
    }

    public func image(for key: VariantKey) -> Image? { memory?.image(for: key) }

    public func store(_ image: Image, for key: VariantKey) { memory?.store(image, for: key) }

    public func entry(for key: VariantKey) throws -> CacheEntry? { try data?.entry(for: key) }

    public func store(_ entry: CacheEntry, for key: VariantKey) throws { try data?.store(entry, for: key) }

    public func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers {
        var found: CacheTiers = []
        if tiers.contains(.memory), memory?.contains(key) == true { found.insert(.memory) }
        if tiers.contains(.disk), try data?.contains(key) == true { found.insert(.disk) }
        return found
    }

    public func remove(_ key: VariantKey, from tiers: CacheTiers) throws {
        if tiers.contains(.memory) { memory?.remove(key) }
        if tiers.contains(.disk) { try data?.remove(key) }
    }

    public func removeAll(of source: SourceKey, from tiers: CacheTiers) throws {
        if tiers.contains(.memory) { memory?.removeAll(of: source) }
        if tiers.contains(.disk) { try data?.removeAll(of: source) }
    }

    public func clear(_ tiers: CacheTiers) throws {
        if tiers.contains(.memory) { memory?.clear() }
        if tiers.contains(.disk) { try data?.clear() }
    }
}
