import Calotype
import CalotypeTesting

/// A data cache in a dictionary that counts what it is asked for.
final class TallyingDataCache: DataCache {
    struct Tally: Equatable {
        var hits = 0
        var misses = 0
        /// Bytes of the entries that were found.
        var readByteCount = 0
        /// How often each key was stored.
        var stores: [VariantKey: Int] = [:]
        /// Bytes of the entries that were stored.
        var storedByteCount = 0
    }

    private let kept = InMemoryDataCache()
    private let state = Lock(Tally())

    var tally: Tally { state.withLock { $0 } }
    /// The keys that there are entries for.
    var keys: Set<VariantKey> { kept.keys }

    /// The entry for a key, without counting.
    func peek(at key: VariantKey) throws -> CacheEntry? { try kept.entry(for: key) }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        let entry = try kept.entry(for: key)
        state.withLock { tally in
            if let entry {
                tally.hits += 1
                tally.readByteCount += entry.data.count
            } else {
                tally.misses += 1
            }
        }
        return entry
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        try kept.store(entry, for: key)
        state.withLock { tally in
            tally.stores[key, default: 0] += 1
            tally.storedByteCount += entry.data.count
        }
    }

    func contains(_ key: VariantKey) throws -> Bool { try kept.contains(key) }
    func remove(_ key: VariantKey) throws { try kept.remove(key) }
    func removeAll(of source: SourceKey) throws { try kept.removeAll(of: source) }
    func clear() throws { try kept.clear() }
}
