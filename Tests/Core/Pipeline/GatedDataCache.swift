import Calotype
import CalotypeTesting

/// A data cache that holds whoever reads or stores at a gate, before he does.
final class GatedDataCache: DataCache {
    let kept: InMemoryDataCache
    private let reads: BlockingGate?
    private let stores: BlockingGate?
    private let recorded = Lock<[VariantKey]>([])

    init(reads: BlockingGate? = nil, stores: BlockingGate? = nil, time: any TimeSource = SystemTime()) {
        kept = InMemoryDataCache(time: time)
        self.reads = reads
        self.stores = stores
    }

    /// The keys that were read, in order, as often as they were.
    var readKeys: [VariantKey] { recorded.withLock { $0 } }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        recorded.withLock { $0.append(key) }
        reads?.pass()
        return try kept.entry(for: key)
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        stores?.pass()
        try kept.store(entry, for: key)
    }

    func contains(_ key: VariantKey) throws -> Bool { try kept.contains(key) }
    func remove(_ key: VariantKey) throws { try kept.remove(key) }
    func removeAll(of source: SourceKey) throws { try kept.removeAll(of: source) }
    func removeAll(tagged tag: String) throws { try kept.removeAll(tagged: tag) }
    func removeAll(olderThan age: Duration) throws { try kept.removeAll(olderThan: age) }
    func clear() throws { try kept.clear() }
}
