/// A cache that combines several caches, such as a process's own cache and one that it shares with other processes.
///
/// ```swift
/// let group = CacheGroup([TieredCache(disk: ownDirectory), TieredCache(memory: nil, disk: sharedDirectory)])
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(group)])
/// ```
///
/// The first cache is the highest: it is asked first. ``add(_:)`` adds a cache as the highest. The ``policies`` decide
/// which caches an operation uses, and whether it calls them one after another or concurrently. Caches without the tier
/// that the operation concerns are skipped. A group without caches finds, stores and removes nothing, without an error.
///
/// - Memory tiers do not block, so they are always asked one after another, on the caller's thread.
/// - If a query finds an entry in a lower cache, the entry is copied, with everything stored beside it, to each higher
///   cache that answers that it has none. The query does not wait until the entry is copied. At most 32 MiB, or one
///   larger entry, wait to be copied to a cache; further entries are skipped until they are found again. Stores and
///   removals through the group take precedence over copies for their keys: a copy that is being written is completed
///   first, and copies that have not begun are discarded. The group does not know of changes that are made directly in
///   a cache.
/// - Each cache has its own threads for copies, and for calls to several caches at once. A cache that hangs therefore
///   does not delay the others. A query returns with the first hit; the other calls finish in the background, or never
///   begin.
/// - A cache that throws has not answered. A query is a miss only if all caches answer that they have no entry. If no
///   cache has the entry and some threw, the query throws the first of these errors. Storing, removing and clearing
///   continue with the other caches before they throw the first error. Errors that the group does not throw are passed
///   to `onIssue`.
///
/// A group may contain other groups, but not itself. A cache must not call a group that contains it, because the two
/// calls could wait for each other.
///
/// Thread-safe, also while caches or policies are changed: an operation in progress finishes with the caches and the
/// policy that it began with.
public final class CacheGroup: ImageCache {
    private struct State {
        /// The caches, the highest first.
        var members: [Member] = []
        var policies: Policies

        /// Replaces the caches. A cache that is passed twice gets its highest place.
        /// - Returns: The former members, to be released after unlocking.
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
    /// The hits and misses of queries to the group. Only these two numbers of the statistics are used.
    let queries = Lock((memory: MemoryCacheStatistics(), disk: DataCacheStatistics()))
    let onIssue: @Sendable (ImageError) -> Void

    /// Creates a group.
    /// - Parameters:
    ///   - caches: The caches, the highest first. A cache that is passed twice gets its highest place.
    ///   - policies: The policy for each operation.
    ///   - onIssue: Called with failures that no call throws: failures of a cache when another cache has the entry,
    ///     failures of further caches after the first failure, and failures of copying to a higher cache. Called on any
    ///     thread; it must not call the group.
    public init(
        _ caches: [any ImageCache] = [], policies: Policies = Policies(),
        onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        var state = State(policies: policies)
        state.arrange(caches)
        self.state = Lock(state)
        self.onIssue = onIssue
    }

    /// The caches, the highest first. A cache that is set twice gets its highest place.
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

    /// Adds a cache as the highest. A cache that is in the group already moves to the top.
    public func add(_ cache: any ImageCache) {
        requireOutside(cache)
        let former = state.withLock { $0.arrange([cache] + $0.members.map(\.cache)) }
        withExtendedLifetime(former) {}
    }

    /// Removes a cache from the group. The cache keeps its contents. Returns false if the cache is not in the group.
    @discardableResult
    public func remove(_ cache: any ImageCache) -> Bool {
        let (former, isFound) = state.withLock { state -> ([Member], Bool) in
            let rest = state.members.map(\.cache).filter { $0 !== cache }
            let isFound = rest.count < state.members.count
            return (state.arrange(rest), isFound)
        }
        return withExtendedLifetime(former) { isFound }
    }

    /// Returns the image in memory from the highest cache that has it.
    ///
    /// The image is not copied to higher caches: the time at which it expires is not known here, so a higher cache
    /// could keep it too long. An image that is decoded from an entry is stored in memory with the expiration of the
    /// entry.
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

    /// Returns the keys of a source's images in memory, from all caches that the query policy selects.
    public func variants(of source: SourceKey) -> [VariantKey] {
        var keys: Set<VariantKey> = []
        for member in roster(\.query).choice(.memory).members { keys.formUnion(member.cache.variants(of: source)) }
        return Array(keys)
    }

    /// The tiers that at least one cache has.
    public var tiers: CacheTiers { caches.reduce(into: CacheTiers()) { $0.formUnion($1.tiers) } }

    /// Returns the remaining time to live of the image for a key in memory: the shortest time that a cache reports.
    /// Asks only the caches that the query policy selects. Returns nil if none of them reports a time.
    public func remainingTime(for key: VariantKey) -> Duration? {
        roster(\.query).choice(.memory).members.compactMap { $0.cache.remainingTime(for: key) }.min()
    }

    /// The sums of the statistics of all caches of the group, whatever the policies are. The hits and misses are those
    /// of the group's own queries.
    ///
    /// A query counts as one hit or miss, however many caches are asked. The group cannot distinguish weak hits
    /// (``MemoryCacheStatistics/weakHits``), so they count as hits. If the statistics of all caches for a tier are
    /// zero, the group reports no hits and misses for the tier either.
    public var statistics: CacheStatistics {
        let members = state.withLock { $0.members }
        var sum = members.reduce(into: CacheStatistics()) { $0 += $1.cache.statistics }
        let (memory, data) = queries.withLock { $0 }
        if sum.memory != MemoryCacheStatistics() {
            sum.memory?.hits = memory.hits
            sum.memory?.weakHits = 0
            sum.memory?.misses = memory.misses
        }
        if sum.disk != DataCacheStatistics() {
            sum.disk?.hits = data.hits
            sum.disk?.misses = data.misses
        }
        return sum
    }

    /// Returns the current caches with the current policy for an operation.
    func roster(_ policy: (Policies) -> Policy) -> Roster {
        state.withLock { Roster(members: $0.members, policy: policy($0.policies)) }
    }

    /// Ends the process if a cache is this group or contains it: the group would otherwise call itself without end.
    private func requireOutside(_ cache: any ImageCache) {
        precondition(!isInside(cache), "a group of caches cannot contain itself")
    }

    /// Returns whether a cache is this group, or a group that contains this group.
    private func isInside(_ cache: any ImageCache) -> Bool {
        guard let group = cache as? CacheGroup else { return false }
        return group === self || group.caches.contains { isInside($0) }
    }
}
