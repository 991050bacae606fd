extension CacheGroup {
    /// The caches that an operation uses, and their order.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// One after another, the highest first. A query ends with the first that has what is wanted.
        case serial
        /// All at once.
        case concurrent
        /// The highest alone.
        case highestOnly
        /// The lowest alone.
        case lowestOnly
    }

    /// The policy of a group for each operation.
    ///
    /// A cache takes part where it has the tier (``ImageCache/tiers``) that an operation is about. So the highest is
    /// the highest that has it, which may be one cache for images and another for entries.
    public struct Policies: Sendable, Hashable {
        /// Finding images, entries and variants. Default: serial.
        ///
        /// In turn or at once, an entry of a lower cache is copied to those above it.
        public var query: Policy
        /// Keeping images and entries. Default: the highest alone; what lower caches have under the same key is left
        /// alone.
        public var store: Policy
        /// Removing by key, source, tag and age. Default: concurrent.
        ///
        /// What is removed from one alone is found in the others, and from a lower one it comes up again.
        public var remove: Policy
        /// Whether something is there. Default: serial, where the highest that has it in any tier speaks for all;
        /// concurrent names each tier in which any of them has it.
        public var contains: Policy
        /// Removing everything. Default: concurrent.
        public var clear: Policy

        /// Policies; the defaults for those that are not given.
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
    /// The caches of a group and its policy for an operation, as the operation found them.
    struct Roster: Sendable {
        /// The highest first.
        let members: [Member]
        let policy: Policy

        /// The caches that the operation concerns where it is about these tiers, of those that have any of them.
        func choice(_ tiers: CacheTiers) -> Choice {
            let able = members.filter { !$0.cache.tiers.isDisjoint(with: tiers) }
            return switch policy {
            case .serial: Choice(members: able, isConcurrent: false)
            // Memory answers at once: it needs no threads.
            case .concurrent: Choice(members: able, isConcurrent: able.count > 1 && tiers != .memory)
            case .highestOnly: Choice(members: Array(able.prefix(1)), isConcurrent: false)
            case .lowestOnly: Choice(members: Array(able.suffix(1)), isConcurrent: false)
            }
        }
    }

    /// The caches that an operation concerns.
    struct Choice: Sendable {
        /// The highest first.
        let members: [Member]
        /// Whether they are called at once, in which case there are several.
        let isConcurrent: Bool
    }
}

extension CacheGroup {
    /// A cache of a group.
    ///
    /// Its threads are its own, so that one that hangs holds up no other. They begin when they are needed.
    struct Member: Sendable {
        let cache: any ImageCache
        /// The lane for calls that are made in parallel with others.
        let lane = Lane(name: "ct-group", width: 16)
        /// The lane for filling the cache: it has few threads beside those of requests.
        let fillLane = Lane(name: "ct-fill", width: 2)

        init(_ cache: any ImageCache) { self.cache = cache }

        /// Returns the answer of the cache, or throws its error with the cache's name.
        func attempt<Value>(
            _ stage: ImageError.Stage, _ call: (any ImageCache) throws -> Value
        ) -> Result<Value, ImageError> {
            do {
                return .success(try call(cache))
            } catch {
                return .failure(
                    .wrapping(
                        error, as: .cacheFailed, stage: stage, component: typeName(of: cache),
                        message: "the cache could not be used"))
            }
        }
    }
}
