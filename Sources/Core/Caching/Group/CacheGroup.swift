/// Several caches as one, such as a process's own and one that it shares with others.
///
/// ```swift
/// let group = CacheGroup([TieredCache(data: ownDirectory), TieredCache(memory: nil, data: sharedDirectory)])
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(group)])
/// ```
///
/// The first is the highest: it is asked first, and ``add(_:)`` puts a cache before all others, as registries do. Which
/// of them an operation concerns, and whether in turn or at once, is for ``policies`` to say; a cache without the tier
/// that it is about is passed over. Without any cache the group finds nothing, keeps nothing and removes nothing, at
/// once and without an error.
///
/// - Memory answers at once, on the caller's thread: it is always asked in turn.
/// - An entry that a lower cache has is copied, with all that belongs to it, to those above it that say they have none.
///   That happens behind the answer; while more than 32 MiB wait for a cache, it gets no more until that is found
///   again. What is stored, removed or removed through the group meanwhile wins, having waited for what is being
///   written; what is changed in a cache directly, the group cannot know.
/// - Each cache is called at once with others, and filled, on threads of its own: one that hangs holds up no other. A
///   query returns with the first hit; the others finish for themselves, or never begin.
/// - A cache that throws has no answer. It is a miss only when all say so: when none has the entry and some threw, the
///   first of these errors is thrown. What is stored, removed or cleared is so in the other caches too before the first
///   error is thrown. All other errors are told to `onIssue`.
///
/// A group may stand in another, but not in itself. A cache must not call the group that it is in: a store through the
/// group waits for what is being written to a cache, which would then wait for the store. Thread-safe, also while its
/// caches or policies are changed: work under way finishes with those it began with.
public final class CacheGroup: ImageCache {
    private struct State {
        /// The highest first.
        var members: [Member] = []
        var policies: Policies

        /// Puts these caches in the place of those before, each once: where it is highest.
        /// - Returns: Those before, to be let go of after unlocking.
        @discardableResult
        mutating func arrange(_ caches: [any ImageCache]) -> [Member] {
            let former = members
            var known: Set<ObjectIdentifier> = []
            members = []
            for cache in caches where known.insert(ObjectIdentifier(cache)).inserted {
                members.append(former.first { $0.cache === cache } ?? Member(cache))
            }
            return former
        }
    }

    private let state: Lock<State>
    let fills = Fills()
    /// Hits and misses of the group, and nothing else.
    let queries = Lock((memory: MemoryCacheStatistics(), data: DataCacheStatistics()))
    let onIssue: @Sendable (ImageError) -> Void

    /// A group.
    /// - Parameters:
    ///   - caches: The caches, the highest first; of one that is there twice the higher place counts.
    ///   - policies: Which caches take part in what.
    ///   - onIssue: Told of failures that no call throws: of a cache while another had what was wanted, of further
    ///     caches after the first, of copying to a higher cache. Called on any thread; it must not call the group.
    public init(
        _ caches: [any ImageCache] = [], policies: Policies = Policies(),
        onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        var state = State(policies: policies)
        state.arrange(caches)
        self.state = Lock(state)
        self.onIssue = onIssue
    }

    /// The caches, the highest first. Of one that is set twice the higher place counts.
    public var caches: [any ImageCache] {
        get { state.withLock { $0.members.map(\.cache) } }
        set {
            for cache in newValue { requireOutside(cache) }
            let former = state.withLock { $0.arrange(newValue) }
            withExtendedLifetime(former) {}
        }
    }

    /// The policy for each operation. A change applies to operations that begin after it.
    public var policies: Policies {
        get { state.withLock { $0.policies } }
        set { state.withLock { $0.policies = newValue } }
    }

    /// Makes a cache the highest. One that was in the group before goes to the top.
    public func add(_ cache: any ImageCache) {
        requireOutside(cache)
        let former = state.withLock { $0.arrange([cache] + $0.members.map(\.cache)) }
        withExtendedLifetime(former) {}
    }

    /// Takes a cache out of the group, with all that it holds; false when it is not there.
    @discardableResult
    public func remove(_ cache: any ImageCache) -> Bool {
        let (former, isFound) = state.withLock { state -> ([Member], Bool) in
            let rest = state.members.map(\.cache).filter { $0 !== cache }
            let isFound = rest.count < state.members.count
            return (state.arrange(rest), isFound)
        }
        return withExtendedLifetime(former) { isFound }
    }

    /// The image in the memory of the highest cache that has it there.
    ///
    /// It is not copied to those above: an image in memory does not say when it expires, and would outlive the entry up
    /// there. An image made of an entry is put into memory after its decode, when that time is known.
    public func image(for key: VariantKey) -> Image? {
        let image = findImage(for: key, in: roster(\.query).choice(.memory))
        queries.withLock { queries in
            if image == nil { queries.memory.misses += 1 } else { queries.memory.hits += 1 }
        }
        return image
    }

    private func findImage(for key: VariantKey, in choice: Choice) -> Image? {
        for member in choice.members {
            if let image = member.cache.image(for: key) { return image }
        }
        return nil
    }

    public func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        for member in roster(\.store).choice(.memory).members {
            member.cache.store(image, for: key, timeToLive: timeToLive)
        }
    }

    public func peek(at key: VariantKey) -> Image? {
        roster(\.query).choice(.memory).members.lazy.compactMap { $0.cache.peek(at: key) }.first
    }

    /// The keys of a source's images in the memory of the caches that queries concern.
    public func variants(of source: SourceKey) -> [VariantKey] {
        var keys: Set<VariantKey> = []
        for member in roster(\.query).choice(.memory).members { keys.formUnion(member.cache.variants(of: source)) }
        return Array(keys)
    }

    /// The tiers that any of the caches has.
    public var tiers: CacheTiers { caches.reduce(into: CacheTiers()) { $0.formUnion($1.tiers) } }

    /// The shortest time in the memory of the caches that queries concern.
    public func remainingTime(for key: VariantKey) -> Duration? {
        roster(\.query).choice(.memory).members.compactMap { $0.cache.remainingTime(for: key) }.min()
    }

    /// The sums over all caches of the group, whatever the policies say; but hits and misses are the group's own.
    ///
    /// Of those a query is one, however many caches are asked; weak hits, which a group cannot tell, are among the
    /// hits. In a tier whose caches count nothing, neither does the group.
    public var statistics: CacheStatistics {
        let members = state.withLock { $0.members }
        var sum = members.reduce(into: CacheStatistics()) { $0 += $1.cache.statistics }
        let (memory, data) = queries.withLock { $0 }
        if sum.memory != MemoryCacheStatistics() {
            sum.memory?.hits = memory.hits
            sum.memory?.weakHits = 0
            sum.memory?.misses = memory.misses
        }
        if sum.data != DataCacheStatistics() {
            sum.data?.hits = data.hits
            sum.data?.misses = data.misses
        }
        return sum
    }

    /// The caches of now, and what a policy says of now.
    func roster(_ policy: (Policies) -> Policy) -> Roster {
        state.withLock { Roster(members: $0.members, policy: policy($0.policies)) }
    }

    /// A group in itself would ask itself for ever, which is a mistake of the program.
    private func requireOutside(_ cache: any ImageCache) {
        precondition(!isInside(cache), "a group of caches is put into itself")
    }

    /// Whether a cache is this group, or one that has it inside.
    private func isInside(_ cache: any ImageCache) -> Bool {
        guard let group = cache as? CacheGroup else { return false }
        return group === self || group.caches.contains { isInside($0) }
    }
}
