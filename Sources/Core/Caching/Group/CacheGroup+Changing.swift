extension CacheGroup {
    public func store(_ entry: CacheEntry, for key: VariantKey) throws {
        try changeData(.key(key), \.store) { try $0.store(entry, for: key) }
    }

    public func remove(_ key: VariantKey, from tiers: CacheTiers) throws {
        try remove(.key(key), from: tiers, \.remove) { try $0.remove(key, from: $1) }
    }

    public func removeAll(of source: SourceKey, from tiers: CacheTiers) throws {
        try remove(.source(source), from: tiers, \.remove) { try $0.removeAll(of: source, from: $1) }
    }

    public func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws {
        try remove(.policy(source, policy), from: tiers, \.remove) {
            try $0.removeAll(of: source, under: policy, from: $1)
        }
    }

    /// Removes every entry that has the tag from the disk tiers. Then empties the memory tiers, because images in
    /// memory have no tags. Tiers that are not in `tiers` remain unchanged.
    public func removeAll(tagged tag: String, from tiers: CacheTiers) throws {
        try remove(.everything, from: tiers, \.remove) { try $0.removeAll(tagged: tag, from: $1) }
    }

    public func removeAll(olderThan age: Duration) throws {
        try changeData(.everything, \.remove) { try $0.removeAll(olderThan: age) }
    }

    public func clear(_ tiers: CacheTiers) throws {
        try remove(.everything, from: tiers, \.clear) { try $0.clear($1) }
    }

    /// Makes a call to each cache that a policy selects. The call must change only the disk tier.
    private func changeData(
        _ scope: Fills.Scope, _ policy: (Policies) -> Policy,
        _ call: @escaping @Sendable (any ImageCache) throws -> Void
    ) throws(ImageError) {
        let choice = roster(policy).choice(.disk)
        try report(fills.change(scope) { each(choice, call) })
    }

    /// Removes contents from disk first and from memory last, so that no request brings an entry back to memory.
    private func remove(
        _ scope: Fills.Scope, from tiers: CacheTiers, _ policy: (Policies) -> Policy,
        _ call: @escaping @Sendable (any ImageCache, CacheTiers) throws -> Void
    ) throws(ImageError) {
        let roster = self.roster(policy)
        var failures: [ImageError] = []
        let others = tiers.subtracting(.memory)
        if !others.isEmpty {
            failures += fills.change(scope) { each(roster.choice(others)) { try call($0, others) } }
        }
        if tiers.contains(.memory) {
            failures += each(roster.choice(.memory)) { try call($0, .memory) }
        }
        try report(failures)
    }

    /// Makes a call to each of the chosen caches, even if earlier calls fail. Returns the errors.
    private func each(
        _ choice: Choice, _ call: @escaping @Sendable (any ImageCache) throws -> Void
    ) -> [ImageError] {
        let answers: Answers<Void> = ask(choice, .store, call)
        return answers.failures
    }
}
