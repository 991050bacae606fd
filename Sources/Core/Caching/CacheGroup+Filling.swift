extension CacheGroup {
    /// Copies an entry to a cache above the one that had it, on threads of that cache.
    /// - Parameters:
    ///   - member: The cache.
    ///   - entry: What a lower one has.
    ///   - isKnownToMiss: Whether the cache said that it has none. One that was slower than the hit was not asked.
    ///   - search: The query that found the entry.
    func fill(_ member: Member, with entry: CacheEntry, isKnownToMiss: Bool, after search: Fill) {
        let target = Fill.Target(cache: ObjectIdentifier(member.cache), byteCount: entry.data.count)
        guard let fill = fills.begin(after: search, to: target) else { return }
        member.fillLane.start { [self] refusal in
            defer { fills.end(fill) }
            if let refusal {
                onIssue(refusal)
                return
            }
            guard isKnownToMiss || isMissing(fill.key, in: member), fills.beginWriting(fill) else { return }
            let outcome = member.attempt(.store) { try $0.store(entry, for: fill.key) }
            fills.endWriting(fill)
            if case .failure(let error) = outcome { onIssue(error) }
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
