import Calotype

/// An image cache under test, for one check.
struct ImageCacheSubject: Sendable {
    let cache: any ImageCache
    let time: ManualTime

    /// The tag of all entries that ``store(_:in:)`` stores.
    static let tag = "album"

    /// All combinations of tiers, including none.
    private static let choices: [CacheTiers] = [[], .memory, .disk, .all]

    func run(_ check: ImageCacheCheck) throws {
        switch check {
        case .memory(let check): try MemoryTier(of: cache).run(check, time: time)
        case .data(let check): try DataCacheSubject(cache: DiskTier(of: cache), time: time).run(check)
        case .separating: try checkSeparating()
        case .containing: try checkContaining()
        case .expiring: try checkExpiring()
        case .removing: try checkRemoving()
        case .sources: try checkSources()
        case .tags: try checkTags()
        case .clearing: try checkClearing()
        case .order: try checkOrder()
        case .statistics: try checkStatistics()
        case .threadSafety: try checkThreadSafety()
        }
    }

    /// Stores an image for a key in memory, an entry in the disk tier, or both.
    func store(_ key: VariantKey, in tiers: CacheTiers) throws {
        if tiers.contains(.memory) { try cache.store(MemoryCacheSubject.image(width: 4), for: key) }
        if tiers.contains(.disk) {
            try cache.store(CacheEntry(data: Data(key.description.utf8), tags: [Self.tag]), for: key)
        }
    }

    /// Throws unless reads and `contains` find a key in exactly these tiers.
    /// - Parameter moment: The situation, for the error message, such as "after an image was stored".
    func check(_ key: VariantKey, isIn tiers: CacheTiers, _ moment: String, advice: String) throws {
        var found: CacheTiers = []
        if cache.image(for: key) != nil { found.insert(.memory) }
        if try cache.entry(for: key) != nil { found.insert(.disk) }
        try expect(
            found == tiers, "a key to be in '\(tiers.contextText)' \(moment)",
            but: "reads find it in '\(found.contextText)'", advice: advice)
        let claim = try cache.contains(key, in: .all)
        try expect(
            claim == tiers, "`contains` to return '\(tiers.contextText)' \(moment)",
            but: "it returns '\(claim.contextText)'", advice: "make `contains` and reads agree")
    }
}

// MARK: Lookups

extension ImageCacheSubject {
    private func checkSeparating() throws {
        let advice = "keep images in memory and entries in the disk tier, and do not convert them"
        let (image, entry) = (MemoryCacheSubject.key("cat"), MemoryCacheSubject.key("cat", "half"))
        try expect(
            cache.tiers == .all, "`tiers` to be 'all'", but: "it is '\(cache.tiers.contextText)'",
            advice: "return the tiers that exist")
        try check(image, isIn: [], "before anything was stored", advice: "start with an empty cache")
        try store(image, in: .memory)
        try store(entry, in: .disk)
        // The second pass shows that reading does not move images either.
        for _ in 0..<2 {
            try check(image, isIn: .memory, "after only an image was stored", advice: advice)
            try check(entry, isIn: .disk, "after only an entry was stored", advice: advice)
        }
        try expect(
            !cache.variants(of: entry.source).contains(entry), "`variants` to list only images in memory",
            but: "it lists an entry of the disk tier", advice: "omit keys without an image in memory")
        try store(image, in: .disk)
        try store(entry, in: .memory)
        try check(image, isIn: .all, "after an entry was stored in addition to the image", advice: advice)
        try check(entry, isIn: .all, "after an image was stored in addition to the entry", advice: advice)
    }

    private func checkContaining() throws {
        let source = "cat"
        for held in Self.choices { try store(MemoryCacheSubject.key(source, held.contextText), in: held) }
        for held in Self.choices {
            let key = MemoryCacheSubject.key(source, held.contextText)
            for asked in Self.choices {
                let claim = try cache.contains(key, in: asked)
                let right = held.intersection(asked)
                try expect(
                    claim == right,
                    "`contains` to return '\(right.contextText)' for a key in '\(held.contextText)' when asked about "
                        + "'\(asked.contextText)'",
                    but: "it returns '\(claim.contextText)'", advice: "look only in the named tiers")
            }
            try check(key, isIn: held, "after a call of `contains`", advice: "change nothing in `contains`")
        }
    }

    private func checkExpiring() throws {
        let advice = "expire images by their time to live, and entries by their date"
        let (soonInMemory, soonInData) = (MemoryCacheSubject.key("cat", "half"), MemoryCacheSubject.key("cat"))
        let image = try MemoryCacheSubject.image(width: 4)
        let bytes = Data("x".utf8)
        cache.store(image, for: soonInMemory, timeToLive: .seconds(10))
        try cache.store(CacheEntry(data: bytes, expiration: time.wallTime() + 20), for: soonInMemory)
        cache.store(image, for: soonInData, timeToLive: .seconds(20))
        try cache.store(CacheEntry(data: bytes, expiration: time.wallTime() + 10), for: soonInData)
        time.advance(by: .seconds(9))
        for key in [soonInMemory, soonInData] {
            try check(key, isIn: .all, "a second before its first expiration", advice: advice)
        }
        time.advance(by: .seconds(2))
        try check(soonInMemory, isIn: .disk, "after its image has expired", advice: advice)
        try check(soonInData, isIn: .memory, "after its entry has expired", advice: advice)
        time.advance(by: .seconds(10))
        for key in [soonInMemory, soonInData] {
            try check(key, isIn: [], "after both have expired", advice: advice)
        }
        // Without this, a cache with weak references could never find the image.
        withExtendedLifetime(image) {}
    }
}

// MARK: Removal

extension ImageCacheSubject {
    private func checkRemoving() throws {
        try checkRemoval { key, tiers in
            try cache.remove(key, from: tiers)
        } takes: { key, named in
            key == named
        }
    }

    private func checkSources() throws {
        try checkRemoval { key, tiers in
            try cache.removeAll(of: key.source, from: tiers)
        } takes: { key, named in
            key.source == named.source
        }
    }

    private func checkClearing() throws {
        try checkRemoval { _, tiers in
            try cache.clear(tiers)
        } takes: { _, _ in
            true
        }
    }

    /// Checks a kind of removal for all combinations of tiers to store a key in and tiers to remove it from.
    /// - Parameter takes: A closure that returns whether the removal of `named` also removes `key`.
    private func checkRemoval(
        _ remove: (VariantKey, CacheTiers) throws -> Void, takes: (_ key: VariantKey, _ named: VariantKey) -> Bool
    ) throws {
        for held in Self.choices {
            for tiers in Self.choices {
                let source = "cat \(held.rawValue) \(tiers.rawValue)"
                let named = MemoryCacheSubject.key(source, "half")
                let keys = [
                    named, MemoryCacheSubject.key(source), MemoryCacheSubject.key(source, "half", policy: "strict"),
                    MemoryCacheSubject.key("dog", source), MemoryCacheSubject.key(source + "?", "half"),
                ]
                let place = "from '\(tiers.contextText)', stored in '\(held.contextText)'"
                for key in keys { try store(key, in: held) }
                // The second pass shows that removing a missing entry is no error.
                for _ in 0..<2 {
                    try remove(named, tiers)
                    for key in keys {
                        let isTaken = takes(key, named)
                        try check(
                            key, isIn: isTaken ? held.subtracting(tiers) : held,
                            isTaken ? "after it was removed \(place)" : "after another key was removed \(place)",
                            advice: "remove only the named keys, and only from the named tiers")
                    }
                }
                try store(named, in: .all)
                try check(
                    named, isIn: .all, "after it was removed and stored again",
                    advice: "accept a removed key again")
            }
        }
    }
}

// MARK: Statistics

extension ImageCacheSubject {
    private func checkStatistics() throws {
        let (both, data, none) = (
            MemoryCacheSubject.key("both"), MemoryCacheSubject.key("data"), MemoryCacheSubject.key("none")
        )
        try store(both, in: .all)
        try store(data, in: .disk)
        for key in [both, none, both] { _ = cache.image(for: key) }
        for key in [none, both, none, none] { _ = try cache.entry(for: key) }
        for tiers in Self.choices {
            for key in [both, none] { _ = try cache.contains(key, in: tiers) }
        }
        _ = cache.variants(of: both.source)
        let found = cache.statistics
        // Statistics are optional.
        if let memory = found.memory, memory != MemoryCacheStatistics() {
            try CacheTrial.expect(
                [
                    ("memory.hits", memory.hits + memory.weakHits, 2), ("memory.misses", memory.misses, 1),
                    ("memory.insertions", memory.insertions, 1), ("memory.count", memory.count, 1),
                ],
                after: "one store, two hits and one miss in memory",
                advice: "count only `image(for:)` in memory")
        }
        if let data = found.disk, data != DataCacheStatistics() {
            try CacheTrial.expect(
                [
                    ("data.hits", data.hits, 1), ("data.misses", data.misses, 3),
                    ("data.insertions", data.insertions, 2), ("data.failures", data.failures, 0),
                ],
                after: "2 stores, 1 hit and 3 misses in the disk tier",
                advice: "count only `entry(for:)` in the disk tier")
        }
    }
}
