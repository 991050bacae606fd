import Calotype

extension DataCacheSubject {
    /// Checks that a second cache on the same store reads and removes the entries of the first cache.
    func checkReopening() throws {
        guard let reopen else { return }
        let entries = Self.entries()
        // Each entry has its own source.
        let keys = entries.indices.map { VariantKey(source: SourceKey("source \($0)"), policy: "p", variant: "v") }
        for (key, entry) in zip(keys, entries) { try cache.store(entry, for: key) }
        try storeThree()
        // A cache that cannot remove by tag throws.
        let removesTags = (try? cache.removeAll(tagged: "never used")) != nil

        let reopened = try DataCacheSubject(cache: reopen(time), time: time)
        for (key, entry) in zip(keys, entries) {
            try reopened.expectEntry(entry, for: key, "that was stored before the cache was opened again")
        }
        let advice = "store what removal needs, not only in memory"
        let source = Self.original.source
        try reopened.cache.removeAll(of: source)
        for key in [Self.original, Self.variant] {
            try reopened.expectMiss(key, "after its source was removed by a cache opened later", advice: advice)
        }
        try reopened.expectThere([Self.stranger] + keys, after: "another source was removed by a cache opened later")
        guard removesTags else { return }
        try reopened.cache.removeAll(tagged: "album 7")
        for (key, entry) in zip(keys, entries) {
            if entry.tags.contains("album 7") {
                try reopened.expectMiss(key, "after its tag was removed by a cache opened later", advice: advice)
            } else {
                try reopened.expectThere([key], after: "a tag was removed by a cache opened later")
            }
        }
    }
}
