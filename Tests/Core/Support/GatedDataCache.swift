import Calotype
import CalotypeTesting

/// A data cache that blocks reads and stores at a gate before they take effect, and records changes.
final class GatedDataCache: DataCache {
    /// A change.
    enum Event: Sendable, Equatable {
        case storeBegan, storeEnded, removed
    }

    let kept: InMemoryDataCache
    private let reads: BlockingGate?
    private let stores: BlockingGate?
    private let onRemoval: @Sendable () -> Void
    private let recorded = Lock<[VariantKey]>([])
    private let changes = Lock<[Event]>([])

    /// - Parameter onRemoval: Called before each removal.
    init(
        reads: BlockingGate? = nil, stores: BlockingGate? = nil, time: any TimeSource = SystemTime(),
        onRemoval: @escaping @Sendable () -> Void = {}
    ) {
        kept = InMemoryDataCache(time: time)
        self.reads = reads
        self.stores = stores
        self.onRemoval = onRemoval
    }

    /// The changes, in order.
    var events: [Event] { changes.withLock { $0 } }

    /// The keys of all reads, in order.
    var readKeys: [VariantKey] { recorded.withLock { $0 } }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        recorded.withLock { $0.append(key) }
        reads?.pass()
        return try kept.entry(for: key)
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        changes.withLock { $0.append(.storeBegan) }
        stores?.pass()
        try kept.store(entry, for: key)
        changes.withLock { $0.append(.storeEnded) }
    }

    func contains(_ key: VariantKey) throws -> Bool { try kept.contains(key) }
    func remove(_ key: VariantKey) throws { try removing { try $0.remove(key) } }
    func removeAll(of source: SourceKey) throws { try removing { try $0.removeAll(of: source) } }
    func removeAll(tagged tag: String) throws { try removing { try $0.removeAll(tagged: tag) } }
    func removeAll(olderThan age: Duration) throws { try removing { try $0.removeAll(olderThan: age) } }
    func clear() throws { try removing { try $0.clear() } }

    private func removing(_ body: (InMemoryDataCache) throws -> Void) throws {
        changes.withLock { $0.append(.removed) }
        onRemoval()
        try body(kept)
    }
}
