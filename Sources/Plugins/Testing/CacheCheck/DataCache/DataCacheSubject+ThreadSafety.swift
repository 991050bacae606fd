import Calotype

extension DataCacheSubject {
    private static let threadCount = 6
    private static let roundCount = 60

    /// Checks the cache with threads that store, read and remove entries concurrently.
    func checkThreadSafety() throws {
        let shared = VariantKey(source: SourceKey("shared"), variant: "v")
        try cache.store(Self.entry(0), for: shared)
        // One thread reads while another one replaces entries. This reveals a cache that replaces an entry in two
        // steps.
        try CacheTrial.run {
            for round in 1...Self.roundCount { try cache.store(Self.entry(round), for: shared) }
        } watchedBy: {
            try checkWhole(shared)
        }
        try CacheTrial.onThreads(Self.threadCount) { thread in
            for round in 0..<Self.roundCount { try take(turn: round, of: thread, shared) }
        }
    }

    private func take(turn round: Int, of thread: Int, _ shared: VariantKey) throws {
        let own = VariantKey(source: SourceKey("thread \(thread)"), variant: "\(round % 4)")
        try cache.store(Self.entry(round), for: own)
        try check(cache.entry(for: own), against: Self.entry(round))
        if round % 5 == 4 {
            try cache.removeAll(of: own.source)
            try check(cache.entry(for: own), against: nil)
        }
        if thread % 2 == 0 {
            try cache.store(Self.entry(thread * Self.roundCount + round), for: shared)
        } else {
            try checkWhole(shared)
        }
    }

    /// Throws unless the cache returns a complete entry for the shared key.
    private func checkWhole(_ shared: VariantKey) throws {
        let answer = try cache.immediateEntry(for: shared)
        guard let found = try cache.entry(for: shared), answer != .absent else {
            throw Self.breach(of: "an entry that is only replaced, never removed", "it was missing for a moment")
        }
        if case .entry(let found) = answer { try checkWhole(found) }
        try checkWhole(found)
    }

    private func checkWhole(_ found: CacheEntry) throws {
        let number = found.attributes["number"].flatMap { Int($0) } ?? -1
        guard number >= 0, found == Self.entry(number) else {
            throw Self.breach(of: "a complete entry while other threads store", "it is mixed from two")
        }
    }

    private func check(_ found: CacheEntry?, against entry: CacheEntry?) throws {
        guard found != entry else { return }
        throw Self.breach(of: "what the same thread has just stored", "it is something else")
    }

    private static func breach(of expected: String, _ happened: String) -> Breach {
        Breach(
            expected: expected, but: happened,
            advice: "replace an entry atomically, and guard shared state")
    }

    private static func entry(_ number: Int) -> CacheEntry {
        CacheEntry(
            data: Data(repeating: UInt8(truncatingIfNeeded: number), count: 2000 + number),
            attributes: ["number": "\(number)"])
    }
}
