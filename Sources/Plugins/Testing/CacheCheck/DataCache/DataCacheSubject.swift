import Calotype

/// A data cache under test, for one check.
struct DataCacheSubject: Sendable {
    let cache: any DataCache
    let time: ManualTime
    /// A closure that opens another cache on the same store; nil if that is not possible.
    var reopen: (@Sendable (_ time: any TimeSource) throws -> any DataCache)?

    static let original = VariantKey(source: SourceKey("https://example.org/cat.jpg"))
    static let variant = VariantKey(
        source: original.source, policy: "strict", variant: "thumbnailPixelSize=20x20")
    static let stranger = VariantKey(source: SourceKey("https://example.org/dog.jpg"))

    func run(_ check: DataCacheCheck) throws {
        switch check {
        case .keeping: try checkKeeping()
        case .replacing: try checkReplacing()
        case .keys: try checkKeys()
        case .containing: try checkContaining()
        case .answering: try checkAnswering()
        case .expiring: try checkExpiring()
        case .removing: try checkRemoving()
        case .sources: try checkSources()
        case .tags: try checkTags()
        case .age: try checkAge()
        case .clearing: try checkClearing()
        case .statistics: try checkStatistics()
        case .reopening: try checkReopening()
        case .threadSafety: try checkThreadSafety()
        }
    }

    // MARK: Storing

    private func checkKeeping() throws {
        try expectMiss(Self.original, "before anything was stored", advice: "start with an empty cache")
        for (index, entry) in Self.entries().enumerated() {
            let key = VariantKey(source: Self.original.source, variant: "\(index)")
            try cache.store(entry, for: key)
            try expectEntry(entry, for: key, "that was stored")
            try expectEntry(entry, for: key, "that was read before")
        }
    }

    /// Data that contain every byte value once.
    private static let bytes = Data((0..<256).map { UInt8($0) })
    /// Data of 300,000 bytes, which a cache may have to read in several pieces.
    private static let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) })

    /// Returns entries with and without each optional property, and with short, long and empty data.
    static func entries() -> [CacheEntry] {
        // The year 3000, which no clock of a cache has reached.
        let date = 32_503_680_000.25
        let attributes = ["entityTag": "\"1\"", "": "", "é🙂\0": "a\nb\0", "long": String(repeating: "x", count: 500)]
        return [
            CacheEntry(data: bytes), CacheEntry(data: Data()), CacheEntry(data: large),
            CacheEntry(data: bytes, expiration: date),
            CacheEntry(data: bytes, attributes: attributes),
            CacheEntry(data: bytes, extendedData: Data()), CacheEntry(data: bytes, extendedData: bytes),
            CacheEntry(data: bytes, tags: ["album 7", "é", "\0"]),
            CacheEntry(
                data: bytes, expiration: date, attributes: attributes, extendedData: large, tags: ["album 7"]),
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
        try expectEntry(plain, for: Self.original, "without a date, which replaced one with a date")
        try cache.store(rich, for: Self.variant)
        try expectEntry(plain, for: Self.original, "after another was stored")
    }

    private func checkKeys() throws {
        let long = String(repeating: "k", count: 100_000)
        // The two spellings of é are equal as Swift strings but have different bytes.
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
        // The boundaries between the parts of a key matter, whatever separates them.
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
                found == Data("\(index)".utf8), "each of \(keys.count) keys to have its own entry",
                but: found == nil ? "that of '\(key.description.prefix(40))' is missing" : "two keys share an entry",
                advice: "compare the bytes of source, policy and variant, each with its length")
        }
    }

    // MARK: Lookups

    private func checkContaining() throws {
        try cache.store(CacheEntry(data: Data("x".utf8)), for: Self.variant)
        for key in [Self.variant, Self.original, Self.stranger] {
            let isThere = try cache.entry(for: key) != nil
            let claim = try cache.contains(key)
            try expect(
                claim == isThere, "`contains` to return \(isThere), as a read does", but: "it returns \(claim)",
                advice: "look up the whole key, including the variant")
        }
    }

    private func checkExpiring() throws {
        let entry = CacheEntry(data: Data("x".utf8), expiration: time.wallTime() + 10)
        try cache.store(entry, for: Self.original)
        try cache.store(CacheEntry(data: entry.data), for: Self.variant)
        try cache.store(entry, for: Self.stranger)
        time.advance(by: .seconds(9))
        try expectEntry(entry, for: Self.original, "a second before it expires")
        time.advance(by: .seconds(2))
        try expect(
            try !cache.contains(Self.stranger), "`contains` to return false for an expired entry",
            but: "it returns true", advice: "compare `expiration` with the clock there too")
        try expectMiss(
            Self.original, "after it has expired", advice: "compare `expiration` with the clock in reads")
        try expectEntry(CacheEntry(data: entry.data), for: Self.variant, "without a date")
        let later = CacheEntry(data: entry.data, expiration: time.wallTime() + 10)
        try cache.store(later, for: Self.original)
        try expectEntry(later, for: Self.original, "that replaced an expired one")
    }

    // MARK: Statistics

    private func checkStatistics() throws {
        let missing = VariantKey(source: SourceKey("never stored"))
        try storeThree()
        try cache.store(CacheEntry(data: Data("again".utf8)), for: Self.original)
        for key in [Self.original, Self.variant, missing, Self.original] { _ = try cache.entry(for: key) }
        for key in [Self.original, missing] { _ = try cache.contains(key) }
        let found = cache.statistics
        // Statistics are optional.
        guard found != DataCacheStatistics() else { return }
        try CacheTrial.expect(
            [
                ("hits", found.hits, 3), ("misses", found.misses, 1), ("insertions", found.insertions, 4),
                ("failures", found.failures, 0), ("evictions", found.evictions, 0),
                ("expirations", found.expirations, 0), ("repairs", found.repairs, 0),
                ("bytesRead", found.bytesRead, 10 + Self.variant.description.utf8.count),
            ],
            after: "4 stores under 3 keys, 3 hits and a miss",
            advice: "count each `entry(for:)` once, and do not count `contains`")
    }

    func storeThree() throws {
        for key in [Self.original, Self.variant, Self.stranger] {
            try cache.store(CacheEntry(data: Data(key.description.utf8)), for: key)
        }
    }

    // MARK: Expectations

    func expectEntry(_ entry: CacheEntry, for key: VariantKey, _ which: String) throws {
        let found = try cache.entry(for: key)
        try expect(
            found == entry, "the entry \(which)",
            but: found.map { "it has \(Self.difference(of: $0, from: entry))" } ?? "there is none",
            advice: "store every field, and return the last entry of each key")
    }

    private static func difference(of found: CacheEntry, from entry: CacheEntry) -> String {
        if found.data != entry.data { return "different data of \(found.data.count) bytes" }
        if found.expiration != entry.expiration { return "a different date" }
        if found.attributes != entry.attributes { return "different attributes" }
        if found.extendedData != entry.extendedData { return "different extended data" }
        return "different tags"
    }

    func expectMiss(_ key: VariantKey, _ when: String, advice: String) throws {
        let isRead = try cache.entry(for: key) != nil
        let isClaimed = try cache.contains(key)
        try expect(
            !isRead && !isClaimed, "no entry \(when)", but: isRead ? "a read finds one" : "`contains` returns true",
            advice: isRead ? advice : "make `contains` and reads agree")
    }

    func expectThere(
        _ keys: [VariantKey], after what: String, advice: String = "remove only the named entries"
    ) throws {
        for key in keys {
            try expect(
                try cache.entry(for: key) != nil, "the other entries to remain after \(what)",
                but: "that of \(key.description.debugDescription) is missing", advice: advice)
        }
    }
}
