public import Calotype

/// A data cache in a dictionary, which counts and can fail.
public final class InMemoryDataCache: DataCache {
    private struct State {
        var entries: [VariantKey: CacheEntry] = [:]
        var failure: (any Error)?
        var reads = 0
        var stores: [VariantKey] = []
    }

    private let state = Lock(State())

    /// An empty cache.
    public init() {}

    /// What every call throws from now on; nil for nothing.
    public var failure: (any Error)? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// The keys that there are entries for.
    public var keys: Set<VariantKey> { state.withLock { Set($0.entries.keys) } }
    /// How often an entry was asked for.
    public var readCount: Int { state.withLock { $0.reads } }
    /// The keys that were stored, in order, as often as they were.
    public var stores: [VariantKey] { state.withLock { $0.stores } }

    public func entry(for key: VariantKey) throws -> CacheEntry? {
        try attempt { state in
            state.reads += 1
            return state.entries[key]
        }
    }

    public func contains(_ key: VariantKey) throws -> Bool { try attempt { $0.entries[key] != nil } }

    public func store(_ entry: CacheEntry, for key: VariantKey) throws {
        try attempt { state in
            state.stores.append(key)
            state.entries[key] = entry
        }
    }

    public func remove(_ key: VariantKey) throws { try attempt { $0.entries[key] = nil } }

    public func removeAll(of source: SourceKey) throws {
        try attempt { state in state.entries = state.entries.filter { $0.key.source != source } }
    }

    public func clear() throws { try attempt { $0.entries = [:] } }

    private func attempt<Result>(_ body: (inout State) -> Result) throws -> Result {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}
