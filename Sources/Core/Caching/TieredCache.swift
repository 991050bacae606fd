/// A cache with a memory tier above a disk tier: the default cache of managers.
///
/// ```swift
/// let cache = TieredCache(memory: BoundedMemoryCache(costLimit: 64 << 20), disk: DiskCache(at: directory))
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(cache)])
/// ```
///
/// Either tier may be omitted, or be of a custom type. Removing from both tiers removes from memory last, so that no
/// request brings the image back from disk meanwhile. Images are removed from memory even if the disk tier throws.
public final class TieredCache: ImageCache {
    /// The memory tier; nil for none.
    public let memory: (any MemoryCache)?
    /// The disk tier; nil for none.
    public let disk: (any DataCache)?

    /// Creates a cache of these tiers.
    public init(memory: (any MemoryCache)? = BoundedMemoryCache(), disk: (any DataCache)? = nil) {
        self.memory = memory
        self.disk = disk
    }

    public var tiers: CacheTiers {
        CacheTiers.all.subtracting(memory == nil ? .memory : []).subtracting(disk == nil ? .disk : [])
    }

    public func image(for key: VariantKey) -> Image? { memory?.image(for: key) }

    public func peek(at key: VariantKey) -> Image? { memory?.peek(at: key) }

    public func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        memory?.store(image, for: key, timeToLive: timeToLive)
    }

    public func variants(of source: SourceKey) -> [VariantKey] { memory?.variants(of: source) ?? [] }

    public func remainingTime(for key: VariantKey) -> Duration? { memory?.remainingTime(for: key) }

    public func entry(for key: VariantKey) throws -> CacheEntry? { try disk?.entry(for: key) }

    public func store(_ entry: CacheEntry, for key: VariantKey) throws { try disk?.store(entry, for: key) }

    public func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers {
        var found: CacheTiers = []
        if tiers.contains(.memory), memory?.contains(key) == true { found.insert(.memory) }
        if tiers.contains(.disk), try disk?.contains(key) == true { found.insert(.disk) }
        return found
    }

    public func remove(_ key: VariantKey, from tiers: CacheTiers) throws {
        defer { if tiers.contains(.memory) { memory?.remove(key) } }
        if tiers.contains(.disk) { try disk?.remove(key) }
    }

    public func removeAll(of source: SourceKey, from tiers: CacheTiers) throws {
        defer { if tiers.contains(.memory) { memory?.removeAll(of: source) } }
        if tiers.contains(.disk) { try disk?.removeAll(of: source) }
    }

    public func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws {
        defer { if tiers.contains(.memory) { memory?.removeAll(of: source, under: policy) } }
        if tiers.contains(.disk) { try disk?.removeAll(of: source, under: policy) }
    }

    /// Removes every entry with a tag from the disk tier, and empties the memory tier, whose images have no tags. A
    /// tier that is not in `tiers` remains unchanged.
    public func removeAll(tagged tag: String, from tiers: CacheTiers) throws {
        defer { if tiers.contains(.memory) { memory?.clear() } }
        if tiers.contains(.disk) { try disk?.removeAll(tagged: tag) }
    }

    /// Removes every entry that is older than `age` from the disk tier. Images in memory remain.
    public func removeAll(olderThan age: Duration) throws { try disk?.removeAll(olderThan: age) }

    public func clear(_ tiers: CacheTiers) throws {
        defer { if tiers.contains(.memory) { memory?.clear() } }
        if tiers.contains(.disk) { try disk?.clear() }
    }

    public var statistics: CacheStatistics {
        CacheStatistics(memory: memory?.statistics, disk: disk?.statistics)
    }
}
