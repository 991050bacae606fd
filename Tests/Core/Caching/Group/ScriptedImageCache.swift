import CalotypeTesting

@testable import Calotype

/// A cache in dictionaries that records the calls of its disk tier, can block in them, and can fail.
final class ScriptedImageCache: ImageCache {
    /// The calls that may block.
    enum Call: Hashable, Sendable, CaseIterable {
        case entry, store, contains, remove, removeSource, removeTag, removeAge, clear
    }

    private struct State {
        var images: [VariantKey: Image] = [:]
        var entries: [VariantKey: CacheEntry] = [:]
        var calls: [Call] = []
        var gates: [Call: BlockingGate] = [:]
        var failures: [Call: any Error] = [:]
    }

    let tiers: CacheTiers
    private let state = Watched(State())

    /// Creates a cache with an entry, or without one.
    /// - Parameter tiers: The tiers that it declares. All calls work on any tier.
    init(_ entry: CacheEntry? = nil, for key: VariantKey? = nil, tiers: CacheTiers = .all) {
        self.tiers = tiers
        guard let key else { return }
        state.withLock { $0.entries[key] = entry }
    }

    /// The calls so far, in the order of execution; queries in the order of arrival.
    var calls: [Call] { state.withLock { $0.calls } }
    /// The number of stores of an entry, including failed ones.
    var storeCount: Int { calls.filter { $0 == .store }.count }
    /// The entries of the disk tier.
    var entries: [VariantKey: CacheEntry] { state.withLock { $0.entries } }

    /// Waits until the calls so far fulfill a condition.
    func wait(until condition: @escaping @Sendable ([Call]) -> Bool) async {
        await state.wait { condition($0.calls) }
    }

    /// Makes calls of these kinds wait at a gate: queries after the lookup, all others before they take effect.
    func hold(_ calls: Call..., at gate: BlockingGate) {
        state.withLock { state in
            for call in calls { state.gates[call] = gate }
        }
    }

    /// Makes calls of these kinds fail.
    func fail(_ calls: [Call], with error: any Error) {
        state.withLock { state in
            for call in calls { state.failures[call] = error }
        }
    }

    func image(for key: VariantKey) -> Image? { state.withLock { $0.images[key] } }

    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        state.withLock { $0.images[key] = image }
    }

    func variants(of source: SourceKey) -> [VariantKey] {
        state.withLock { state in state.images.keys.filter { $0.source == source } }
    }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        try look(.entry) { $0.entries[key] }
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        try change(.store) { $0.entries[key] = entry }
    }

    func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers {
        var found: CacheTiers = []
        if tiers.contains(.memory), image(for: key) != nil { found.insert(.memory) }
        if tiers.contains(.disk), try look(.contains, { $0.entries[key] != nil }) { found.insert(.disk) }
        return found
    }

    func remove(_ key: VariantKey, from tiers: CacheTiers) throws {
        if tiers.contains(.memory) { state.withLock { $0.images[key] = nil } }
        if tiers.contains(.disk) { try change(.remove) { $0.entries[key] = nil } }
    }

    func removeAll(of source: SourceKey, from tiers: CacheTiers) throws {
        if tiers.contains(.memory) {
            state.withLock { state in state.images = state.images.filter { $0.key.source != source } }
        }
        if tiers.contains(.disk) {
            try change(.removeSource) { state in state.entries = state.entries.filter { $0.key.source != source } }
        }
    }

    func removeAll(tagged tag: String, from tiers: CacheTiers) throws {
        if tiers.contains(.memory) { state.withLock { $0.images = [:] } }
        if tiers.contains(.disk) {
            try change(.removeTag) { state in state.entries = state.entries.filter { !$0.value.tags.contains(tag) } }
        }
    }

    /// Every entry counts as old.
    func removeAll(olderThan age: Duration) throws { try change(.removeAge) { $0.entries = [:] } }

    func clear(_ tiers: CacheTiers) throws {
        if tiers.contains(.memory) { state.withLock { $0.images = [:] } }
        if tiers.contains(.disk) { try change(.clear) { $0.entries = [:] } }
    }

    private func look<Value: Sendable>(_ call: Call, _ body: (State) -> Value) throws -> Value {
        let (value, gate) = state.withLock { state -> (Value, BlockingGate?) in
            state.calls.append(call)
            return (body(state), state.gates[call])
        }
        gate?.pass()
        if let failure = state.withLock({ $0.failures[call] }) { throw failure }
        return value
    }

    private func change(_ call: Call, _ body: (inout State) -> Void) throws {
        let gate = state.withLock { $0.gates[call] }
        gate?.pass()
        let failure = state.withLock { state -> (any Error)? in
            state.calls.append(call)
            if let failure = state.failures[call] { return failure }
            body(&state)
            return nil
        }
        if let failure { throw failure }
    }
}

extension ScriptedImageCache.Call {
    /// The calls that change something.
    static let changes = allCases.filter { $0 != .entry && $0 != .contains }

    /// Performs the call on a cache, and rethrows its error.
    func perform(on cache: any ImageCache, key: VariantKey, entry: CacheEntry, tag: String = "album") throws {
        switch self {
        case .entry: _ = try cache.entry(for: key)
        case .store: try cache.store(entry, for: key)
        case .contains: _ = try cache.contains(key, in: .disk)
        case .remove: try cache.remove(key, from: .disk)
        case .removeSource: try cache.removeAll(of: key.source, from: .disk)
        case .removeTag: try cache.removeAll(tagged: tag, from: .disk)
        case .removeAge: try cache.removeAll(olderThan: .zero)
        case .clear: try cache.clear(.disk)
        }
    }
}
