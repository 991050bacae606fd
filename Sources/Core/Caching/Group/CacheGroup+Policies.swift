extension CacheGroup {
    /// The caches that an operation uses, and their order.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// One cache after another, the highest first. A query ends with the first hit.
        case serial
        /// All caches at once.
        case concurrent
        /// Only the highest cache.
        case highestOnly
        /// Only the lowest cache.
        case lowestOnly
    }

    /// The policy of a group for each operation.
    ///
    /// An operation concerns one or more tiers, and uses only caches that have at least one of them
    /// (``ImageCache/tiers``). A policy ignores all other caches: for images, the highest cache is the highest one with
    /// a memory tier, and for entries, the highest one with a disk tier.
    public struct Policies: Sendable, Hashable {
        /// The policy for finding images, entries and variants. Default: serial.
        ///
        /// If several caches are asked, an entry of a lower cache is copied to the higher caches that do not have it.
        public var query: Policy
        /// The policy for storing images and entries. Default: only the highest cache. Lower caches then keep their own
        /// entries for the same key.
        public var store: Policy
        /// The policy for removing by key, source, tag and age. Default: concurrent.
        ///
        /// With `highestOnly` or `lowestOnly`, the entry remains in the other caches. Queries still find it there, and
        /// copy it from a lower cache to a higher one again.
        public var remove: Policy
        /// The policy for asking which tiers have an image or an entry. Default: serial.
        ///
        /// With the serial policy, the caches are asked in order of priority. The answer is the tiers in which the
        /// first cache with the key has it. With the concurrent policy, the answer is every tier in which at least one
        /// cache has the key.
        public var contains: Policy
        /// The policy for removing everything. Default: concurrent.
        public var clear: Policy

        /// Creates policies. Policies that are not passed have their defaults.
        public init(
            query: Policy = .serial, store: Policy = .highestOnly, remove: Policy = .concurrent,
            contains: Policy = .serial, clear: Policy = .concurrent
        ) {
            self.query = query
            self.store = store
            self.remove = remove
            self.contains = contains
            self.clear = clear
        }
    }
}

extension CacheGroup {
    /// The caches of a group and its policy for an operation, at the time when the operation began.
    struct Roster: Sendable {
        /// The caches, the highest first.
        let members: [Member]
        /// The policy for the operation.
        let policy: Policy

        /// Returns the caches that the policy selects among those that have at least one of these tiers.
        func choice(_ tiers: CacheTiers) -> Choice {
            let able = members.filter { !$0.cache.tiers.isDisjoint(with: tiers) }
            return switch policy {
            case .serial: Choice(members: able, isConcurrent: false)
            // Memory does not block, and so needs no threads.
            case .concurrent: Choice(members: able, isConcurrent: able.count > 1 && tiers != .memory)
            case .highestOnly: Choice(members: Array(able.prefix(1)), isConcurrent: false)
            case .lowestOnly: Choice(members: Array(able.suffix(1)), isConcurrent: false)
            }
        }
    }

    /// The caches that an operation uses.
    struct Choice: Sendable {
        /// The caches, the highest first.
        let members: [Member]
        /// Whether the caches are called concurrently. True only if there are several caches.
        let isConcurrent: Bool
    }
}

extension CacheGroup {
    /// A cache of a group. It has its own threads, so that it does not delay the other caches of the group if it hangs.
    struct Member: Sendable {
        let cache: any ImageCache
        /// The threads for calls that are made concurrently with calls to other caches.
        let lane = Lane(name: "ct-group", width: 16)
        /// The threads for copying entries of lower caches to this cache. They are few, because no request waits for
        /// them.
        let fillLane = Lane(name: "ct-fill", width: 2)

        init(_ cache: any ImageCache) { self.cache = cache }

        /// Calls the cache. Returns its answer, or the error that it throws as an ``ImageError``.
        func attempt<Value>(
            _ stage: ImageError.Stage, _ call: (any ImageCache) throws -> Value
        ) -> Result<Value, ImageError> {
            do {
                return .success(try call(cache))
            } catch {
                return .failure(.thrown(by: cache, error, stage: stage))
            }
        }
    }
}
