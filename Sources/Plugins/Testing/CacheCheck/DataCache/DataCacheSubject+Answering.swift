import Calotype

/// Checks of `immediateEntry(for:)`. Each answer is checked before and after a read, because a read may change it.
extension DataCacheSubject {
    func checkAnswering() throws {
        let advice = "return `.unknown` unless the answer is certain"
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
        try expectAgreement(for: Self.variant, "that was replaced", advice: "return what was stored last")
        try cache.remove(Self.variant)
        try expectAgreement(for: Self.variant, "that was removed", advice: "return `.absent` for a removed entry")
        try cache.store(CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 10), for: Self.variant)
        try expectAgreement(for: Self.variant, "before it expires", advice: advice)
        time.advance(by: .seconds(11))
        try expectAgreement(
            for: Self.variant, "after it has expired", advice: "compare `expiration` with the clock there too")
        try checkCountOfAnswers()
        try cache.clear()
        try expectAgreement(for: Self.original, "after clearing", advice: "return `.absent` for a removed entry")
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
            after: "\(hits) immediate hits and \(misses) immediate misses",
            advice: "count immediate answers like reads, and do not count `.unknown`")
    }

    /// Throws if the answer of `immediateEntry(for:)` before or after a read does not agree with the read.
    private func expectAgreement(for key: VariantKey, _ which: String, advice: String) throws {
        let before = try cache.immediateEntry(for: key)
        let found = try cache.entry(for: key)
        for answer in [before, try cache.immediateEntry(for: key)] {
            let happened: String? =
                switch answer {
                case .entry(let entry):
                    entry == found ? nil : found == nil ? "it returns one" : "it returns another one"
                case .absent: found == nil ? nil : "it returns `.absent`"
                case .unknown: nil
                }
            try expect(
                happened == nil, "`immediateEntry` to agree with a read of an entry \(which)", but: happened ?? "",
                advice: advice)
        }
    }
}
