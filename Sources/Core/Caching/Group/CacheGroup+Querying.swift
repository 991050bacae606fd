extension CacheGroup {
    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let entry = try findEntry(for: key, in: roster(\.query).choice(.disk))
        queries.withLock { queries in
            if entry == nil { queries.disk.misses += 1 } else { queries.disk.hits += 1 }
        }
        return entry
    }

    /// Returns the immediate answer of the cache that the query policy selects. Returns `.absent` if the policy selects
    /// no cache, and `.unknown` if it selects several.
    ///
    /// If the policy selects several caches, none of them is asked here. Otherwise, a cache without the entry would
    /// count two misses: one for this call, and one for the query that follows.
    public func immediateEntry(for key: VariantKey) throws -> ImmediateEntry {
        let answer = try immediateAnswer(for: key, in: roster(\.query).choice(.disk))
        queries.withLock { queries in
            switch answer {
            case .entry: queries.disk.hits += 1
            case .absent: queries.disk.misses += 1
            case .unknown: break
            }
        }
        return answer
    }

    private func immediateAnswer(for key: VariantKey, in choice: Choice) throws -> ImmediateEntry {
        guard let member = choice.members.first else { return .absent }
        guard choice.members.count == 1 else { return .unknown }
        return try member.attempt(.query) { try $0.immediateEntry(for: key) }.get()
    }

    private func findEntry(for key: VariantKey, in choice: Choice) throws -> CacheEntry? {
        // If only one cache is asked, there is no higher one to fill.
        guard choice.members.count > 1 else {
            guard let member = choice.members.first else { return nil }
            return try member.attempt(.query) { try $0.entry(for: key) }.get()
        }
        let search = fills.begin(key)
        let answers: Answers<CacheEntry?> = ask(
            choice, .query, { try $0.entry(for: key) }, until: { $0.hit != nil },
            onEnd: { [self] answers in settle(answers, of: choice, search) })
        if let hit = answers.hit { return hit.entry }
        try report(answers.failures)
        return nil
    }

    /// Completes a query after its last call has ended. If an entry was found, begins to copy it to higher caches, and
    /// reports failures. Otherwise, `findEntry` throws or reports the failures.
    private func settle(_ answers: Answers<CacheEntry?>, of choice: Choice, _ search: Fill) {
        defer { fills.end(search) }
        guard let hit = answers.hit else { return }
        for failure in answers.failures { onIssue(failure) }
        for (member, answer) in zip(choice.members, answers.results).prefix(hit.place) {
            switch answer {
            case .success?: fill(member, with: hit.entry, isKnownToMiss: true, after: search)
            // A cache that failed may have a newer entry.
            case .failure?: break
            case nil: fill(member, with: hit.entry, isKnownToMiss: false, after: search)
            }
        }
    }

    /// Returns those of `tiers` that have an image or an entry for a key.
    ///
    /// A serial policy returns the tiers of the first cache that has the key in any of them. A concurrent policy
    /// returns the tiers of all caches together. With a policy for a single cache, the answer for each tier comes from
    /// the highest or the lowest cache that has that tier.
    public func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers {
        let roster = self.roster(\.contains)
        guard roster.policy != .serial else {
            let answers: Answers<CacheTiers> = ask(
                roster.choice(tiers), .query, { try $0.contains(key, in: tiers) }, until: { !$0.found.isEmpty })
            return try conclude(answers.found, answers.failures)
        }
        let memory = tiers.intersection(.memory)
        let near: Answers<CacheTiers> = ask(
            roster.choice(memory), .query, { try $0.contains(key, in: memory) }, until: { !$0.found.isEmpty })
        let others = tiers.subtracting(.memory)
        let far: Answers<CacheTiers> = ask(
            roster.choice(others), .query, { try $0.contains(key, in: others) },
            until: { $0.found.isSuperset(of: others) },
            onEnd: { [onIssue] answers in
                guard !near.found.isEmpty || !answers.found.isEmpty else { return }
                for failure in answers.failures { onIssue(failure) }
            })
        let found = near.found.union(far.found)
        // If a tier was found, `onEnd` reports the failures of `far` when its last call has ended.
        return try conclude(found, near.failures + (found.isEmpty ? far.failures : []))
    }

    /// Returns `found` and passes failures to `onIssue`. If `found` is empty, throws the first failure, if there is
    /// one.
    private func conclude(_ found: CacheTiers, _ failures: [ImageError]) throws(ImageError) -> CacheTiers {
        if found.isEmpty {
            try report(failures)
        } else {
            for failure in failures { onIssue(failure) }
        }
        return found
    }
}
