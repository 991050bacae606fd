import Calotype

/// An adapter that makes the disk tier of an image cache a data cache, for the checks of data caches.
final class DiskTier: DataCache {
    private let cache: any ImageCache

    init(of cache: any ImageCache) { self.cache = cache }

    func entry(for key: VariantKey) throws -> CacheEntry? { try cache.entry(for: key) }

    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry { try cache.immediateEntry(for: key) }

    func contains(_ key: VariantKey) throws -> Bool { try cache.contains(key, in: .disk).contains(.disk) }

    func store(_ entry: CacheEntry, for key: VariantKey) throws { try cache.store(entry, for: key) }

    func remove(_ key: VariantKey) throws { try cache.remove(key, from: .disk) }

    func removeAll(of source: SourceKey) throws { try cache.removeAll(of: source, from: .disk) }

    func removeAll(of source: SourceKey, under policy: String) throws {
        try cache.removeAll(of: source, under: policy, from: .disk)
    }

    func removeAll(tagged tag: String) throws { try cache.removeAll(tagged: tag) }

    func removeAll(olderThan age: Duration) throws { try cache.removeAll(olderThan: age) }

    func clear() throws { try cache.clear(.disk) }

    var statistics: DataCacheStatistics { cache.statistics.disk ?? DataCacheStatistics() }
}
