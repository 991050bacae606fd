extension CacheGroup {
    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let choice = choose(\.query)
        // Where one cache alone is asked, there is nothing above it to be filled.
        guard choice.members.count > 1 else {
            guard let member = choice.members.first else { return nil }
            return try member.attempt(.query) { try $0.entry(for: key) }.get()
        }
        let fill = fills.begin(key)
        let answers: Answers<CacheEntry?> = ask(
            choice, .query, { try $0.entry(for: key) }, until: { $0.hit != nil },
            onEnd: { [self] answers in settle(answers, of: choice, fill) })
        if let hit = answers.hit { return hit.entry }
        try report(answers.failures)
        return nil
    }

    /// Ends a query when all caches have answered: what was found goes up, what failed is told. Without a hit there is
    /// nothing to do, since the query itself throws.
    private func settle(_ answers: Answers<CacheEntry?>, of choice: Choice, _ fill: Fill) {
        guard let hit = answers.hit else { return fills.end(fill) }
        for failure in answers.failures { onIssue(failure) }
        let targets = zip(choice.members, answers.results).prefix(hit.place)
            .compactMap { member, result -> FillTarget? in
                switch result {
                case .success?: return FillTarget(member: member, isKnownToMiss: true)
                // It may have a newer one.
                case .failure?: return nil
                case nil: return FillTarget(member: member, isKnownToMiss: false)
                }
            }
        copy(hit.entry, to: targets, fill)
    }

    /// Those of `tiers` that have the key: in turn, those of the first cache that has it in any of them; at once, those
    /// of all caches together.
    public func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers {
        let choice = choose(\.contains)
        guard choice.isConcurrent else {
            let answers: Answers<CacheTiers> = ask(
                choice, .query, { try $0.contains(key, in: tiers) }, until: { !$0.found.isEmpty })
            return try conclude(answers.found, answers.failures)
        }
        // Memory answers at once: it needs no threads.
        let memory = tiers.intersection(.memory)
        let near: Answers<CacheTiers> =
            memory.isEmpty
            ? Answers(count: 0)
            : ask(choice.inTurn, .query, { try $0.contains(key, in: memory) }, until: { !$0.found.isEmpty })
        let others = tiers.subtracting(.memory)
        guard !others.isEmpty else { return try conclude(near.found, near.failures) }
        let far: Answers<CacheTiers> = ask(
            choice, .query, { try $0.contains(key, in: others) }, until: { $0.found.isSuperset(of: others) },
            onEnd: { [onIssue] answers in
                guard !near.found.isEmpty || !answers.found.isEmpty else { return }
                for failure in answers.failures { onIssue(failure) }
            })
        let found = near.found.union(far.found)
        // With something found, the failures of the others are told when the last of them has answered.
        return try conclude(found, near.failures + (found.isEmpty ? far.failures : []))
    }

    /// What was found, telling of failures; throws the first of them when nothing was.
    private func conclude(_ found: CacheTiers, _ failures: [ImageError]) throws(ImageError) -> CacheTiers {
        if found.isEmpty {
            try report(failures)
        } else {
            for failure in failures { onIssue(failure) }
        }
        return found
    }
}
