import Calotype

extension DataCacheSubject {
    func checkRemoving() throws {
        try storeThree()
        try cache.remove(Self.variant)
        try cache.remove(Self.variant)
        try expectMiss(
            Self.variant, "after it was removed", advice: "remove the entry of the key wherever it is stored")
        try expectThere([Self.original, Self.stranger], after: "another entry was removed")
        try cache.remove(VariantKey(source: SourceKey("never stored")))
        try expectThere([Self.original, Self.stranger], after: "a key without an entry was removed")
        for (text, lookalike) in CacheTrial.lookalikes {
            let (key, neighbor) = (VariantKey(source: SourceKey(text)), VariantKey(source: SourceKey(lookalike)))
            try expectOne(key, not: neighbor) { try cache.remove($0) }
            let source = Self.stranger.source
            let (variant, other) = (
                VariantKey(source: source, variant: text), VariantKey(source: source, variant: lookalike)
            )
            try expectOne(variant, not: other) { try cache.remove($0) }
        }
    }

    /// Stores entries for two similar keys. Throws unless `remove` removes the entry of `key` and no other.
    private func expectOne(
        _ key: VariantKey, not neighbor: VariantKey, by remove: (VariantKey) throws -> Void
    ) throws {
        let (name, advice) = (key.description.debugDescription, CacheTrial.lookalikeAdvice)
        for key in [key, neighbor] { try cache.store(CacheEntry(data: Data("x".utf8)), for: key) }
        try remove(key)
        try expectMiss(key, "after \(name) itself was removed", advice: advice)
        try expectThere([neighbor], after: "the similar key \(name) was removed", advice: advice)
    }

    func checkSources() throws {
        try storeThree()
        let neighbor = VariantKey(source: SourceKey(Self.original.source.text + "?"))
        try cache.store(CacheEntry(data: Data("x".utf8)), for: neighbor)
        try cache.removeAll(of: Self.original.source)
        let advice = "remove the original, and every variant under every policy"
        try expectMiss(Self.original, "after its source was removed", advice: advice)
        try expectMiss(Self.variant, "after its source was removed", advice: advice)
        try expectThere([Self.stranger, neighbor], after: "another source was removed")
        try cache.removeAll(of: SourceKey("never stored"))
        for (text, lookalike) in CacheTrial.lookalikes {
            let (key, neighbor) = (VariantKey(source: SourceKey(text)), VariantKey(source: SourceKey(lookalike)))
            try expectOne(key, not: neighbor) { try cache.removeAll(of: $0.source) }
        }
        try storeThree()
        try cache.removeAll(of: Self.variant.source, under: Self.variant.policy)
        try expectMiss(
            Self.variant, "after its source was removed under its policy",
            advice: "remove the original, and every variant under the policy")
        try expectThere([Self.stranger], after: "another source was removed under a policy")
    }

    func checkTags() throws {
        let tagged = CacheEntry(data: Data("x".utf8), tags: ["album 7", "user"])
        let keys = (0..<8).map { VariantKey(source: SourceKey("source \($0 / 2)"), variant: "\($0)") }
        for key in keys { try cache.store(tagged, for: key) }
        try cache.store(CacheEntry(data: Data("x".utf8), tags: ["album 71", "Album 7"]), for: Self.original)
        try cache.store(CacheEntry(data: Data("x".utf8)), for: Self.stranger)
        // This replaces a tagged entry with one without tags.
        try cache.store(CacheEntry(data: Data("y".utf8)), for: keys[0])
        try cache.removeAll(tagged: "album 7")
        let advice = "remove every entry with the tag, of every source"
        for key in keys.dropFirst() { try expectMiss(key, "after its tag was removed", advice: advice) }
        try expectThere([Self.original, Self.stranger], after: "a tag was removed that they do not have")
        try expectThere([keys[0]], after: "a tag was removed that they no longer have")
        try cache.removeAll(tagged: "never used")
        try cache.store(tagged, for: keys[1])
        try cache.removeAll(tagged: "user")
        try expectMiss(keys[1], "after its other tag was removed", advice: advice)
        try cache.store(CacheEntry(data: Data("x".utf8), tags: ["caf\u{e9}"]), for: keys[2])
        try cache.removeAll(tagged: "cafe\u{301}")
        try expectMiss(
            keys[2], "after its tag was removed in another composed form",
            advice: "compare tags like strings in Swift, in their composed form (NFC)")
        // Pairs that Swift considers equal are skipped.
        for (tag, lookalike) in CacheTrial.lookalikes where tag != lookalike {
            try cache.store(CacheEntry(data: Data("x".utf8), tags: [tag]), for: keys[3])
            try cache.store(CacheEntry(data: Data("x".utf8), tags: [lookalike]), for: keys[4])
            try cache.removeAll(tagged: tag)
            let name = tag.debugDescription
            try expectMiss(keys[3], "after its tag \(name) was removed", advice: advice)
            try expectThere(
                [keys[4]], after: "the similar tag \(name) was removed",
                advice: "compare whole tags: without patterns, case folding, or an end at a zero byte")
        }
    }

    func checkAge() throws {
        let asked = VariantKey(source: SourceKey("asked"))
        try storeThree()
        try cache.store(CacheEntry(data: Data("x".utf8)), for: asked)
        time.advance(by: .seconds(3000))
        _ = try cache.entry(for: Self.variant)
        _ = try cache.contains(Self.original)
        let answer = try cache.immediateEntry(for: asked)
        let younger = VariantKey(source: SourceKey("younger"))
        try cache.store(CacheEntry(data: Data("x".utf8)), for: younger)
        time.advance(by: .seconds(1000))
        try cache.removeAll(olderThan: .seconds(3500))
        let moment = "after the removal of entries unused for 3,500 s"
        try expectMiss(Self.original, "\(moment), since `contains` is not a use", advice: "record no use in `contains`")
        try expectMiss(Self.stranger, moment, advice: "compare the clock with the time of the last use")
        try expectThere(
            [Self.variant, younger], after: "older ones were removed", advice: "record a use in reads and stores")
        if case .entry = answer {
            try expectThere(
                [asked], after: "older ones were removed", advice: "record a use if `immediateEntry` returns an entry")
        } else {
            try expectMiss(asked, moment, advice: "record no use if `immediateEntry` returns `.unknown`")
        }
        try cache.removeAll(olderThan: .seconds(3500))
    }

    func checkClearing() throws {
        try cache.clear()
        try storeThree()
        try cache.clear()
        for key in [Self.original, Self.variant, Self.stranger] {
            try expectMiss(key, "after clearing", advice: "remove all entries of all sources")
        }
        try storeThree()
        try expectThere(
            [Self.original, Self.variant, Self.stranger], after: "they were stored again",
            advice: "accept new contents after clearing")
    }
}
