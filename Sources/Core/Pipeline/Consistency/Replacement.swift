/// A load's result that takes the place of what caches have of its source under its policy.
///
/// That goes when the new original has decoded, and not before, so that what a cache has is not lost to something that
/// is no image. Of several loads that are under way at once, one that has replaced something is the last word: what the
/// others bring, and what is made of that, is delivered but neither kept nor replaces anything, since it may be older.
final class Replacement: Sendable {
    /// The effect on the contents of caches.
    enum Effect: Int, Comparable {
        /// The caches have nothing, as far as the loading requests know.
        case none
        /// The contents of the caches are not known: what is stored takes their place, the rest stays.
        case overwrites
        /// Everything cached of the source under its policy is removed; entries under other policies stay.
        case removes

        static func < (one: Effect, other: Effect) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        /// The number of replacements when the load began; after this one has happened, its own number.
        var number: Int
        /// The strongest effect that any of the requests that share the load wants.
        var effect: Effect
        /// The part of the effect that has happened.
        var taken = Effect.none
        var removal: Task<Void, Never>?
        /// The keys under which something of the load was stored, with the tiers.
        var places: [StoreKey: CacheTiers] = [:]
    }

    private let key: VariantKey
    private let changes: CacheChanges
    private let state: Lock<State>

    /// Made before the load begins.
    /// - Parameters:
    ///   - original: What is loaded.
    ///   - changes: Where replacements are counted.
    ///   - effect: What becomes of what caches have.
    init(of original: VariantKey, among changes: CacheChanges, _ effect: Effect) {
        key = original
        self.changes = changes
        state = Lock(State(number: changes.beginLoad(of: original), effect: effect))
    }

    deinit { changes.endLoad(of: key) }

    /// Whether nothing else has replaced anything of the original since the load began.
    var isLatest: Bool { state.withLock { !changes.haveReplaced(key, since: $0.number) } }

    /// Whether the caches had nothing, as far as the requests that share the load know.
    var replacesNothing: Bool { state.withLock { $0.effect == .none } }

    /// Adds the effect that another request wants of the shared load.
    func join(_ effect: Effect) {
        state.withLock { $0.effect = max($0.effect, effect) }
    }

    /// Takes the place of what there is, the first time that it is called, unless something else has done so since the
    /// load began: does `remove` where all of that is to go. Returns when that is done, and what was being removed
    /// before is gone, so that what is stored then stays.
    func take(_ remove: @escaping @Sendable () async -> Void) async {
        // The number follows under the lock: nobody is to find that this one has been replaced by itself.
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

    /// Runs `body`, which stores something of the load, or begins to: that is a change if it takes the place of what
    /// there is, and nothing of the load was there before. A request that found the former entry in a cache does not
    /// store it.
    /// - Parameter isBlind: Whether nobody has looked what is there.
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
