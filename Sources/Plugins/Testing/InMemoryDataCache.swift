public import Calotype

/// A data cache that keeps its entries in a dictionary. It records reads and stores, and can fail.
public final class InMemoryDataCache: DataCache {
    private struct Kept {
        let entry: CacheEntry
        var lastUse: Double
    }

    private struct State {
        var entries: [VariantKey: Kept] = [:]
        var failure: (any Error)?
        var reads = 0
        var stores: [VariantKey] = []
    }

    private let time: any TimeSource
    private let state = Lock(State())

    /// Creates an empty cache.
    /// - Parameter time: The clock that determines when entries expire and when they were last used.
    public init(time: any TimeSource = SystemTime()) { self.time = time }

    /// The error that every read, lookup, store and removal throws; nil for none.
    public var failure: (any Error)? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// The keys of all entries, including expired ones.
    public var keys: Set<VariantKey> { state.withLock { Set($0.entries.keys) } }
    /// The number of calls of `entry(for:)`. Calls that threw ``failure`` are not counted.
    public var readCount: Int { state.withLock { $0.reads } }
    /// The keys that were passed to `store(_:for:)`, in order and with repetitions. Calls that threw ``failure`` are
    /// left out.
    public var stores: [VariantKey] { state.withLock { $0.stores } }

    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let now = time.wallTime()
        return try attempt { state in
            state.reads += 1
            guard let entry = Self.validEntry(for: key, in: state, at: now) else { return nil }
            state.entries[key]?.lastUse = now
            return entry
        }
    }

    public func contains(_ key: VariantKey) throws -> Bool {
        let now = time.wallTime()
        return try attempt { Self.validEntry(for: key, in: $0, at: now) != nil }
    }

    public func store(_ entry: CacheEntry, for key: VariantKey) throws {
        let now = time.wallTime()
        try attempt { state in
            state.stores.append(key)
            state.entries[key] = Kept(entry: entry, lastUse: now)
        }
    }

    public func remove(_ key: VariantKey) throws { try attempt { $0.entries[key] = nil } }

    public func removeAll(of source: SourceKey) throws {
        try attempt { state in state.entries = state.entries.filter { $0.key.source != source } }
    }

    public func removeAll(of source: SourceKey, under policy: String) throws {
        let policy = Array(policy.utf8)
        try attempt { state in
            state.entries = state.entries.filter { key, _ in
                key.source != source || !key.policy.utf8.elementsEqual(policy)
            }
        }
    }

    public func removeAll(tagged tag: String) throws {
        try attempt { state in state.entries = state.entries.filter { !$0.value.entry.tags.contains(tag) } }
    }

    public func removeAll(olderThan age: Duration) throws {
        let horizon = time.wallTime() - age.seconds
        try attempt { state in state.entries = state.entries.filter { $0.value.lastUse >= horizon } }
    }

    public func clear() throws { try attempt { $0.entries = [:] } }

    private static func validEntry(for key: VariantKey, in state: State, at now: Double) -> CacheEntry? {
        guard let entry = state.entries[key]?.entry else { return nil }
        if let expiration = entry.expiration, expiration <= now { return nil }
        return entry
    }

    private func attempt<Result: Sendable>(_ body: (inout State) -> Result) throws -> Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}
