extension CacheGroup {
    /// A cache above the one that had an entry.
    struct FillTarget: Sendable {
        let member: Member
        /// Whether it said that it has none. One that was slower than the hit was not asked.
        let isKnownToMiss: Bool
    }

    /// Copies an entry to higher caches, on the group's threads. Ends the fill, now or when that is done.
    func copy(_ entry: CacheEntry, to targets: [FillTarget], _ fill: Fill) {
        guard !targets.isEmpty, fills.admit(fill, byteCount: entry.data.count) else { return fills.end(fill) }
        fills.lane.start { [self] in
            defer { fills.end(fill) }
            for target in targets where target.isKnownToMiss || isMissing(fill.key, in: target.member) {
                guard fills.beginWriting(fill) else { return }
                let outcome = target.member.attempt(.store) { try $0.store(entry, for: fill.key) }
                fills.endWriting(fill)
                if case .failure(let error) = outcome { onIssue(error) }
            }
        }
    }

    /// Whether a cache says that it has no such entry.
    private func isMissing(_ key: VariantKey, in member: Member) -> Bool {
        switch member.attempt(.query, { try $0.contains(key, in: .disk) }) {
        case .success(let tiers):
            return tiers.isEmpty
        case .failure(let error):
            onIssue(error)
            return false
        }
    }

    /// Returns when all queries that have begun by now have ended in every cache that they asked, and what they found
    /// has been copied to higher ones. For the end of a process that will not live long. Blocks.
    public func waitForFilling() { fills.wait() }
}
