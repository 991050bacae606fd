import Calotype
import CalotypeTesting

/// A data cache in a dictionary that counts its calls.
final class TallyingDataCache: DataCache {
    struct Tally: Equatable {
        var hits = 0
        var misses = 0
        /// The total bytes of found entries.
        var readByteCount = 0
        /// The number of stores of each key.
        var stores: [VariantKey: Int] = [:]
        /// The total bytes of stored entries.
        var storedByteCount = 0
    }

    private let kept = InMemoryDataCache()
    private let state = Lock(Tally())

    var tally: Tally { state.withLock { $0 } }
    /// The keys of all entries.
    var keys: Set<VariantKey> { kept.keys }

    /// Returns the entry of a key, without counting.
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
