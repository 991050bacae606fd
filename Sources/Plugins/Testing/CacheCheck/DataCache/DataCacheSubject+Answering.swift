import Calotype

/// Checks of immediate answers. Each answer is checked before and after a read, because a read may repair an entry and
/// load it into memory.
extension DataCacheSubject {
    func checkAnswering() throws {
        let advice = "say `.unknown` of all that is not certain"
        try expectAgreement(for: Self.original, "before anything was stored", advice: advice)
        for (index, entry) in Self.entries().enumerated() {
            let key = VariantKey(source: Self.original.source, variant: "\(index)")
            try cache.store(entry, for: key)
            try expectAgreement(for: key, "that was stored", advice: advice)
        }
        try storeThree()
        for key in [Self.original, Self.variant, Self.stranger] {
            try expectAgreement(for: key, "beside others", advice: advice)
        }
        try cache.store(CacheEntry(data: Data("newer".utf8)), for: Self.variant)
        try expectAgreement(for: Self.variant, "that was replaced", advice: "answer what was stored last")
        try cache.remove(Self.variant)
        try expectAgreement(for: Self.variant, "that was removed", advice: "answer nothing that was removed")
        try cache.store(CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 10), for: Self.variant)
        try expectAgreement(for: Self.variant, "before its time is over", advice: advice)
        time.advance(by: .seconds(11))
        try expectAgreement(
            for: Self.variant, "after its time is over", advice: "compare `expiration` with the clock there, too")
        try checkCountOfAnswers()
        try cache.clear()
        try expectAgreement(for: Self.original, "after clearing", advice: "answer nothing that was removed")
    }

    private func checkCountOfAnswers() throws {
        let missing = VariantKey(source: SourceKey("never stored"))
        for key in [Self.original, missing] { _ = try cache.entry(for: key) }
        let before = cache.statistics
        var (hits, misses, bytesRead) = (0, 0, 0)
        for key in [Self.original, missing, Self.original, missing, Self.original] {
            switch try cache.immediateEntry(for: key) {
            case .entry(let entry):
                hits += 1
                bytesRead += entry.data.count
            case .absent: misses += 1
            case .unknown: break
            }
        }
        let after = cache.statistics
        // Statistics are optional.
        guard after != DataCacheStatistics() else { return }
        try CacheTrial.expect(
            [
                ("hits", after.hits - before.hits, hits), ("misses", after.misses - before.misses, misses),
                ("bytesRead", after.bytesRead - before.bytesRead, bytesRead),
                ("failures", after.failures - before.failures, 0),
            ],
            after: "\(hits) hits and \(misses) misses that were said without waiting",
            advice: "count what is answered as a read does, and `.unknown` as nothing")
    }

    /// Throws if the immediate answer for an entry does not agree with a read.
    private func expectAgreement(for key: VariantKey, _ which: String, advice: String) throws {
        let before = try cache.immediateEntry(for: key)
        let found = try cache.entry(for: key)
        for answer in [before, try cache.immediateEntry(for: key)] {
            let happened: String? =
                switch answer {
                case .entry(let entry): entry == found ? nil : found == nil ? "it has one" : "it has another"
                case .absent: found == nil ? nil : "it says that there is none"
                case .unknown: nil
                }
            try expect(
                happened == nil, "`immediateEntry` to say what a read does of an entry \(which)", but: happened ?? "",
                advice: advice)
        }
    }
}
