import Calotype

/// A data cache that is tried, for one check.
struct DataCacheSubject: Sendable {
    let cache: any DataCache
    let time: ManualTime

    private static let original = VariantKey(source: SourceKey("https://example.org/cat.jpg"))
    private static let variant = VariantKey(
        source: original.source, policy: "strict", variant: "thumbnailPixelSize=20x20")
    private static let stranger = VariantKey(source: SourceKey("https://example.org/dog.jpg"))

    func run(_ check: DataCacheCheck) throws {
        switch check {
        case .keeping: try checkKeeping()
        case .replacing: try checkReplacing()
        case .keys: try checkKeys()
        case .containing: try checkContaining()
        case .expiring: try checkExpiring()
        case .removing: try checkRemoving()
        case .sources: try checkSources()
        case .tags: try checkTags()
        case .age: try checkAge()
        case .clearing: try checkClearing()
        case .statistics: try checkStatistics()
        case .threadSafety: try checkThreadSafety()
        }
    }

    // MARK: What was stored

    private func checkKeeping() throws {
        try expectMiss(Self.original, "before anything was stored")
        for (index, entry) in entries().enumerated() {
            let key = VariantKey(source: Self.original.source, variant: "\(index)")
            try cache.store(entry, for: key)
            try expectEntry(entry, for: key, "that was stored")
            try expectEntry(entry, for: key, "that was read before")
        }
    }

    /// Entries of all kinds.
    private func entries() -> [CacheEntry] {
        let bytes = Data((0..<256).map { UInt8($0) })
        let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) })
        let attributes = ["entityTag": "\"1\"", "": "", "é🙂\0": "a\nb\0", "long": String(repeating: "x", count: 500)]
        return [
            CacheEntry(data: bytes), CacheEntry(data: Data()), CacheEntry(data: large),
            CacheEntry(data: bytes, expiration: time.wallTime() + 1000.25),
            CacheEntry(data: bytes, attributes: attributes),
            CacheEntry(data: bytes, extendedData: Data()), CacheEntry(data: bytes, extendedData: bytes),
            CacheEntry(data: bytes, tags: ["", "album 7", "é", "\0"]),
            CacheEntry(
                data: bytes, expiration: time.wallTime() + 5, attributes: attributes, extendedData: large,
                tags: ["album 7"]),
        ]
    }

    private func checkReplacing() throws {
        let rich = CacheEntry(
            data: Data(repeating: 1, count: 5000), expiration: time.wallTime() + 10, attributes: ["a": "b"],
            extendedData: Data([1]), tags: ["album"])
        let plain = CacheEntry(data: Data("plain".utf8))
        try cache.store(rich, for: Self.original)
        try cache.store(plain, for: Self.original)
        try expectEntry(plain, for: Self.original, "that was stored last")
        time.advance(by: .seconds(60))
        try expectEntry(plain, for: Self.original, "without a date, in place of one that had one")
        try cache.store(rich, for: Self.variant)
        try expectEntry(plain, for: Self.original, "after another was stored")
    }

    private func checkKeys() throws {
        let long = String(repeating: "k", count: 100_000)
        // The two spellings of é are equal as texts of Swift and are not the same bytes.
        let texts = [
            "", "a", "A", "a\0", "\0", "\0a", "a b", "🙂", "\u{e9}", "e\u{301}", "../../../etc/passwd", "/", ".", "..",
            "%00", "a%", "*", "'; --", long, long + "k",
        ]
        var keys: [VariantKey] = []
        for text in texts {
            keys.append(VariantKey(source: SourceKey(text)))
            keys.append(VariantKey(source: SourceKey("source"), policy: text, variant: "v"))
            keys.append(VariantKey(source: SourceKey("source"), policy: "p", variant: text))
        }
        // Where one part ends and the next begins counts, whatever stands between them.
        let splits = [
            ["ab", "c", "d"], ["a", "bc", "d"], ["a", "b", "cd"], ["a\0b", "c", "d"], ["a", "b\0c", "d"],
            ["a", "b", "c\0d"], ["a|b", "c", "d"], ["a", "b|c", "d"], ["a", "b", "c|d"],
        ]
        for parts in splits {
            keys.append(VariantKey(source: SourceKey(parts[0]), policy: parts[1], variant: parts[2]))
        }
        for (index, key) in keys.enumerated() { try cache.store(CacheEntry(data: Data("\(index)".utf8)), for: key) }
        for (index, key) in keys.enumerated() {
            let found = try cache.entry(for: key)?.data
            try expect(
                found == Data("\(index)".utf8), "each of \(keys.count) keys to have an entry of its own",
                but: found == nil ? "that of '\(key.description.prefix(40))' is not there" : "two have the same",
                advice: "compare the bytes of source, policy and variant, each with its length")
        }
    }

    // MARK: What is there

    private func checkContaining() throws {
        try cache.store(CacheEntry(data: Data("x".utf8)), for: Self.variant)
        for key in [Self.variant, Self.original, Self.stranger] {
            let isThere = try cache.entry(for: key) != nil
            let claim = try cache.contains(key)
            try expect(
                claim == isThere, "`contains` to say \(isThere), as a read does", but: "it says \(claim)",
                advice: "look for the whole key, the variant too")
        }
    }

    private func checkExpiring() throws {
        let entry = CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 10)
        try cache.store(entry, for: Self.original)
        try cache.store(CacheEntry(data: entry.data), for: Self.variant)
        try cache.store(entry, for: Self.stranger)
        time.advance(by: .seconds(9))
        try expectEntry(entry, for: Self.original, "a second before its time is over")
        time.advance(by: .seconds(2))
        try expect(
            try !cache.contains(Self.stranger), "`contains` to say false of an entry whose time is over",
            but: "it says true", advice: "compare `expiration` with the clock there, too")
        try expectMiss(Self.original, "after its time is over")
        try expectEntry(CacheEntry(data: entry.data), for: Self.variant, "without a date")
        let later = CacheEntry(data: entry.data, expiration: time.wallTime() + 10)
        try cache.store(later, for: Self.original)
        try expectEntry(later, for: Self.original, "stored in place of one whose time is over")
    }

    // MARK: What goes

    private func checkRemoving() throws {
        try storeThree()
        try cache.remove(Self.variant)
        try cache.remove(Self.variant)
        try expectMiss(Self.variant, "after it was removed")
        try expectThere([Self.original, Self.stranger], after: "another was removed")
        try cache.remove(VariantKey(source: SourceKey("never stored")))
        try expectThere([Self.original, Self.stranger], after: "something was removed that was never there")
    }

    private func checkSources() throws {
        try storeThree()
        let neighbour = VariantKey(source: SourceKey(Self.original.source.text + "?"))
        try cache.store(CacheEntry(data: Data("x".utf8)), for: neighbour)
        try cache.removeAll(of: Self.original.source)
        try expectMiss(Self.original, "after its source was removed")
        try expectMiss(Self.variant, "after its source was removed")
        try expectThere([Self.stranger, neighbour], after: "another source was removed")
        try cache.removeAll(of: SourceKey("never stored"))
    }

    private func checkTags() throws {
        let tagged = CacheEntry(data: Data("x".utf8), tags: ["album 7", "user"])
        let keys = (0..<8).map { VariantKey(source: SourceKey("source \($0 / 2)"), variant: "\($0)") }
        for key in keys { try cache.store(tagged, for: key) }
        try cache.store(CacheEntry(data: Data("x".utf8), tags: ["album 71", "Album 7"]), for: Self.original)
        try cache.store(CacheEntry(data: Data("x".utf8)), for: Self.stranger)
        // Stored again without its tags.
        try cache.store(CacheEntry(data: Data("y".utf8)), for: keys[0])
        try cache.removeAll(tagged: "album 7")
        for key in keys.dropFirst() { try expectMiss(key, "after its tag was purged") }
        try expectThere([Self.original, Self.stranger], after: "a tag was purged that they do not carry")
        try expectThere([keys[0]], after: "a tag was purged that they no longer carry")
        try cache.removeAll(tagged: "never used")
        try cache.store(tagged, for: keys[1])
        try cache.removeAll(tagged: "user")
        try expectMiss(keys[1], "after its other tag was purged")
        try cache.store(CacheEntry(data: Data("x".utf8), tags: ["caf\u{e9}"]), for: keys[2])
        try cache.removeAll(tagged: "cafe\u{301}")
        try expectMiss(keys[2], "after its tag was purged, composed in another way")
    }

    private func checkAge() throws {
        try storeThree()
        time.advance(by: .seconds(3000))
        _ = try cache.entry(for: Self.variant)
        _ = try cache.contains(Self.original)
        let younger = VariantKey(source: SourceKey("younger"))
        try cache.store(CacheEntry(data: Data("x".utf8)), for: younger)
        time.advance(by: .seconds(1000))
        try cache.removeAll(olderThan: .seconds(3500))
        try expectMiss(Self.original, "after those were purged that were not used for 3,500 s: asking is no use,")
        try expectMiss(Self.stranger, "after those were purged that were not used for 3,500 s")
        try expectThere([Self.variant, younger], after: "older ones were purged")
        try cache.removeAll(olderThan: .seconds(3500))
    }

    private func checkClearing() throws {
        try cache.clear()
        try storeThree()
        try cache.clear()
        for key in [Self.original, Self.variant, Self.stranger] { try expectMiss(key, "after clearing") }
        try storeThree()
        try expectThere([Self.original, Self.variant, Self.stranger], after: "they were stored again")
    }

    // MARK: Accounts

    private func checkStatistics() throws {
        let missing = VariantKey(source: SourceKey("never stored"))
        try storeThree()
        try cache.store(CacheEntry(data: Data("again".utf8)), for: Self.original)
        for key in [Self.original, Self.variant, missing, Self.original] { _ = try cache.entry(for: key) }
        for key in [Self.original, missing] { _ = try cache.contains(key) }
        let found = cache.statistics
        // It need not count.
        guard found != DataCacheStatistics() else { return }
        try CacheTrial.expect(
            [
                ("hits", found.hits, 3), ("misses", found.misses, 1), ("insertions", found.insertions, 4),
                ("failures", found.failures, 0), ("evictions", found.evictions, 0),
                ("expirations", found.expirations, 0), ("repairs", found.repairs, 0),
                ("bytesRead", found.bytesRead, 10 + Self.variant.description.utf8.count),
            ],
            after: "4 stores under 3 keys, 3 hits and a miss",
            advice: "count `entry(for:)` and not `contains`, each once")
    }

    private func storeThree() throws {
        for key in [Self.original, Self.variant, Self.stranger] {
            try cache.store(CacheEntry(data: Data(key.description.utf8)), for: key)
        }
    }

    // MARK: Expectations

    private func expectEntry(_ entry: CacheEntry, for key: VariantKey, _ which: String) throws {
        let found = try cache.entry(for: key)
        try expect(
            found == entry, "the entry \(which)",
            but: found.map { "it has \(Self.difference(of: $0, from: entry))" } ?? "there is none",
            advice: "keep every field, for each key the last that was stored")
    }

    private static func difference(of found: CacheEntry, from entry: CacheEntry) -> String {
        if found.data != entry.data { return "other bytes, \(found.data.count) of them" }
        if found.expiration != entry.expiration { return "another date" }
        if found.attributes != entry.attributes { return "other attributes" }
        if found.extendedData != entry.extendedData { return "other extended data" }
        return "other tags"
    }

    private func expectMiss(_ key: VariantKey, _ when: String) throws {
        let isRead = try cache.entry(for: key) != nil
        let isClaimed = try cache.contains(key)
        try expect(
            !isRead && !isClaimed, "no entry \(when)", but: isRead ? "a read finds one" : "`contains` says true",
            advice: "let what is gone be gone for every call")
    }

    private func expectThere(_ keys: [VariantKey], after what: String) throws {
        for key in keys {
            try expect(
                try cache.entry(for: key) != nil, "the other entries to stay after \(what)",
                but: "that of '\(key)' is gone", advice: "remove what is named and nothing else")
        }
    }
}
