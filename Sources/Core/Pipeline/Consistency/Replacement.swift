/// The replacement of the cached entries of a source by the result of a load. Entries under another
/// ``VariantKey/policy`` are kept.
///
/// The entries are removed only after the new original has been decoded, so that data that is not an image does not
/// replace a good copy. If several loads run at once, the first one that replaces something wins. The results of the
/// others may be older, and are delivered but not stored.
final class Replacement: Sendable {
    /// The effect of a replacement on the entries that caches already contain.
    enum Effect: Int, Comparable {
        /// No entries are replaced. Used if the requests that share the load have found no entry of the source.
        case none
        /// New entries replace those under the same keys. Used if the contents of the caches are unknown.
        case overwrites
        /// All cached entries of the source under the original's policy are removed.
        case removes

        static func < (one: Effect, other: Effect) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        /// The number of the last replacement before the load began. Once this replacement has happened, its own
        /// number.
        var number: Int
        /// The strongest of the effects wanted by the requests that share the load.
        var effect: Effect
        /// The strongest effect that has already happened.
        var taken = Effect.none
        var removal: Task<Void, Never>?
        /// The keys under which results of the load were stored, with the tiers.
        var places: [StoreKey: CacheTiers] = [:]
    }

    private let key: VariantKey
    private let changes: CacheChanges
    private let state: Lock<State>

    /// Creates a replacement. Must be called before the load begins.
    init(of original: VariantKey, among changes: CacheChanges, _ effect: Effect) {
        key = original
        self.changes = changes
        state = Lock(State(number: changes.beginLoad(of: original), effect: effect))
    }

    deinit { changes.endLoad(of: key) }

    /// Whether nothing else has replaced the original since the load began.
    var isLatest: Bool { state.withLock { !changes.haveReplaced(key, since: $0.number) } }

    /// Whether the caches had no entries for the source, as far as the requests that share the load know.
    var replacesNothing: Bool { state.withLock { $0.effect == .none } }

    /// Adds the effect wanted by another request that shares the load. The stronger effect applies.
    func join(_ effect: Effect) {
        state.withLock { $0.effect = max($0.effect, effect) }
    }

    /// Replaces the cached entries. Replaces nothing if the wanted effect has already happened, or if something else
    /// has replaced the original since the load began. Calls `remove` if the effect is `removes`. Returns when this
    /// removal and earlier ones are done, so that entries stored afterward are kept.
    func take(_ remove: @escaping @Sendable () async -> Void) async {
        // The number is set under the same lock, so that this replacement never appears to have been replaced by
        // itself.
        let removal = state.withLock { state -> Task<Void, Never>? in
            guard state.taken < state.effect,
                let (number, removal) = changes.replace(
                    key, since: state.number, removing: state.effect == .removes ? remove : nil)
            else { return state.removal }
            (state.number, state.taken, state.removal) = (number, state.effect, removal)
            return removal
        }
        await (removal ?? changes.removal(of: key))?.value
    }

    /// Runs `body`, which stores a result of the load or begins to store it.
    ///
    /// A store that may replace a cached entry counts as a change of the source, so that requests that have read the
    /// former entry do not store it again.
    /// - Parameter isBlind: Whether the request skipped the lookup, so that the cache may have an entry.
    func keep<Kept>(at place: StoreKey, in tiers: CacheTiers, isBlind: Bool = false, _ body: () -> Kept) -> Kept {
        let isChange = state.withLock { state in
            let known = state.places[place, default: []]
            state.places[place] = known.union(tiers)
            return (isBlind || state.taken != .none) && !known.isSuperset(of: tiers)
        }
        guard isChange else { return body() }
        changes.begin(place.variant.source)
        defer { changes.end(place.variant.source) }
        return body()
    }
}
