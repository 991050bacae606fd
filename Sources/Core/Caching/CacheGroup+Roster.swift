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
