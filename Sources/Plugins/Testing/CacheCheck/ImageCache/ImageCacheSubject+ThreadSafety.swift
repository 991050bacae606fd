import Calotype

extension ImageCacheSubject {
    private static let keyCount = 20
    private static let threadCount = 6
    private static let roundCount = 40

    /// Checks that removals from both tiers end with the memory tier; see ``ImageCacheCheck/order``.
    func checkOrder() throws {
        try checkOrder(of: "key") { try cache.remove($0, from: .all) }
        try checkOrder(of: "source") { try cache.removeAll(of: $0.source, from: .all) }
        try checkOrder(of: "clearing") { _ in try cache.clear(.all) }
    }

    /// Checks that removing a tag keeps entries without the tag, changes only the given tiers, and changes memory last.
    func checkTags() throws {
        let key = MemoryCacheSubject.key("tag, one tier")
        try store(key, in: .all)
        let advice = "remove only from the named tiers"
        try cache.removeAll(tagged: Self.tag, from: .disk)
        try check(key, isIn: .memory, "after its tag was removed only from the disk tier", advice: advice)
        try store(key, in: .all)
        try cache.removeAll(tagged: Self.tag, from: .memory)
        try check(key, isIn: .disk, "after its tag was removed only from memory", advice: advice)
        let stranger = MemoryCacheSubject.key("no tag")
        try cache.store(MemoryCacheSubject.image(width: 4), for: stranger)
        try cache.store(CacheEntry(data: Data("x".utf8)), for: stranger)
        try checkOrder(of: "tag") { _ in try cache.removeAll(tagged: Self.tag) }
        try check(
            stranger, isIn: .disk, "after a tag was removed that its entry does not have",
            advice: "remove tagged entries from the disk tier, and everything from memory")
    }

    private func checkOrder(of name: String, _ remove: @escaping @Sendable (VariantKey) throws -> Void) throws {
        let advice = "remove from the disk tier first, and from memory last"
        let keys = (0..<Self.keyCount).map { MemoryCacheSubject.key("\(name) \($0)") }
        for key in keys { try store(key, in: .all) }
        try CacheTrial.run {
            for key in keys { try remove(key) }
        } watchedBy: {
            for key in keys where cache.image(for: key) == nil {
                try expect(
                    cache.entry(for: key) == nil, "an image that is removed from both tiers to leave memory last",
                    but: "it was found in the disk tier after it had left memory", advice: advice)
            }
        }
        for key in keys { try check(key, isIn: [], "after it was removed from both while others read", advice: advice) }
    }

    /// Checks that concurrent threads, each with its own keys, do not interfere with each other.
    func checkThreadSafety() throws {
        try CacheTrial.onThreads(Self.threadCount) { thread in
            for round in 0..<Self.roundCount { try take(turn: round, of: thread) }
        }
    }

    private func take(turn round: Int, of thread: Int) throws {
        let advice = "guard shared state, and keep the arguments of concurrent calls apart"
        let key = MemoryCacheSubject.key("thread \(thread)", "\(round % 4)")
        let tiers: CacheTiers = (thread + round) % 2 == 0 ? .memory : .disk
        try store(key, in: .all)
        try check(key, isIn: .all, "that the same thread has just stored there", advice: advice)
        try cache.remove(key, from: tiers)
        try check(
            key, isIn: CacheTiers.all.subtracting(tiers), "when its thread has removed it from the other tier",
            advice: advice)
        guard round % 5 == 4 else { return }
        try cache.removeAll(of: key.source, from: .all)
        try check(key, isIn: [], "when its thread has removed its source", advice: advice)
    }
}
