import CalotypeTesting
import Testing

@testable import Calotype

/// The order of several loads of the same source.
@Suite(.timeLimit(.minutes(5)))
struct ReplacementTests {
    private let changes = CacheChanges()
    private let source = SourceKey("a")
    private let cache = TieredCache(memory: nil)

    private var original: VariantKey { VariantKey(source: source) }

    private func load(
        of source: SourceKey? = nil, under policy: String = "", _ effect: Replacement.Effect = .removes
    ) -> Replacement {
        Replacement(of: VariantKey(source: source ?? self.source, policy: policy), among: changes, effect)
    }

    @Test func `a load that started before a replacement is not the latest, and replaces nothing`() async throws {
        let (older, newer, other) = (load(), load(), load(of: SourceKey("b")))
        await newer.take { [changes, source] in
            #expect(changes.haveTouched(source, since: 0), "the replacement is running")
        }
        #expect(newer.isLatest)
        #expect(!older.isLatest)
        #expect(other.isLatest)
        #expect(changes.count(of: source) == 1, "the replacement has ended")
        await older.take { Issue.record("expected no replacement by an older load") }
        #expect(newer.isLatest)
        #expect(changes.count(of: source) == 1)
    }

    @Test func `loads under different policies are independent`() async throws {
        let (mine, other) = (load(under: "user=a"), load(under: "user=b"))
        await mine.take {}
        #expect(mine.isLatest)
        #expect(other.isLatest)
        let isRemoved = Lock(false)
        await other.take { isRemoved.withLock { $0 = true } }
        #expect(isRemoved.withLock { $0 })
        #expect(mine.isLatest)
        changes.beginReplacing(VariantKey(source: source, policy: "user=a"))
        changes.end(source)
        #expect(!mine.isLatest)
        #expect(other.isLatest)
    }

    @Test func `a load that starts after a replacement can replace it`() async throws {
        let first = load()
        await first.take {}
        let second = load()
        #expect(second.isLatest)
        #expect(first.isLatest, "the second load has not replaced anything yet")
        await second.take {}
        #expect(second.isLatest)
        #expect(!first.isLatest)
    }

    @Test func `a load without anything to replace removes nothing, and does not outdate others`() async throws {
        let (first, second) = (load(.none), load())
        await first.take { Issue.record("expected no replacement without a cached image") }
        #expect(changes.replacementCount == 0)
        #expect(second.isLatest)
        await second.take {}
        #expect(!first.isLatest)
    }

    @Test func `a replacement runs once, and all wait for it`() async throws {
        let load = load()
        let count = Lock(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await load.take { count.withLock { $0 += 1 } }
                    return count.withLock(\.self)
                }
            }
            for try await seen in group { #expect(seen == 1) }
        }
        #expect(load.isLatest)
        #expect(changes.replacementCount == 1)
    }

    @Test func `a load past the caches is the latest, and removes nothing`() async throws {
        let (older, newer) = (load(), load(.overwrites))
        await newer.take { Issue.record("expected no replacement by a load past the caches") }
        #expect(newer.isLatest)
        #expect(!older.isLatest)
        #expect(changes.count(of: source) == 1, "earlier reads are no longer stored")
        await older.take { Issue.record("expected no replacement by an older load") }
    }

    @Test(arguments: [Replacement.Effect.none, .overwrites])
    func `a load replaces the cached image if any request that shares it wants that`(
        first: Replacement.Effect
    ) async throws {
        let load = load(first)
        await load.take { Issue.record("expected no replacement before a request wants one") }
        load.join(.removes)
        let count = Lock(0)
        for _ in 0..<2 { await load.take { count.withLock { $0 += 1 } } }
        #expect(count.withLock(\.self) == 1)
        load.join(.none)
        await load.take { Issue.record("expected no second replacement") }
        #expect(load.isLatest)
    }

    @Test func `replacements of other sources have no effect, however many`() async throws {
        let early = load()
        // More than there are groups of sources (``CacheChanges``), so that each group has had some.
        for index in 0..<600 { await load(of: SourceKey("\(index)")).take {} }
        #expect(early.isLatest)
        await load().take {}
        #expect(!early.isLatest)
    }

    @Test func `sources without loads take no memory`() async throws {
        #expect(changes.loadedSourceCount == 0)
        do {
            let (one, other) = (load(), load())
            let another = load(of: SourceKey("b"))
            await one.take {}
            #expect(changes.loadedSourceCount == 2)
            withExtendedLifetime((one, other, another)) {}
        }
        #expect(changes.loadedSourceCount == 0)
        changes.beginReplacing(original)
        changes.end(source)
        #expect(changes.loadedSourceCount == 0, "a direct store has no load")
        #expect(load().isLatest, "the load began after the direct store")
    }

    @Test func `a direct store is newer than a load in progress`() {
        let (older, other) = (load(), load(of: SourceKey("b")))
        changes.beginReplacing(original)
        #expect(!older.isLatest)
        #expect(other.isLatest)
        let newer = load()
        changes.end(source)
        #expect(newer.isLatest)
    }

    @Test(arguments: [Replacement.Effect.none, .overwrites, .removes])
    func `nothing is stored before the removal of a former replacement ends`(effect: Replacement.Effect) async throws {
        let (gate, words) = (Gate(), Lock<[String]>([]))
        let first = Task<Void, any Error> { [load = load()] in
            await load.take {
                try? await gate.pass()
                words.withLock { $0.append("first removed") }
            }
        }
        await gate.waitForArrivals(1)
        let begun = Gate(isOpen: true)
        let later = Task<Void, any Error> { [load = load(effect)] in
            try? await begun.pass()
            await load.take { words.withLock { $0.append("second removed") } }
            words.withLock { $0.append("second stores") }
        }
        await begun.waitForArrivals(1)
        let byHand = Task<Void, any Error> { [changes, original] in
            try? await begun.pass()
            try await changes.removal(of: original)?.waitForEnd()
            words.withLock { $0.append("stored by hand") }
        }
        await begun.waitForArrivals(2)
        gate.open()
        for task in [first, later, byHand] { try await task.value }
        let said = words.withLock(\.self)
        #expect(said.first == "first removed")
        let second = said.dropFirst().filter { $0 != "stored by hand" }
        #expect(second == (effect == .removes ? ["second removed", "second stores"] : ["second stores"]))
    }

    // MARK: Cancellation

    @Test func `a cancelled request does not wait for a removal, which continues`() async throws {
        let (gate, words) = (Gate(), Lock<[String]>([]))
        defer { gate.open() }
        let removing = Task { [load = load()] in
            await load.take {
                try? await gate.pass()
                words.withLock { $0.append("removed") }
            }
        }
        await gate.waitForArrivals(1)
        let removal = try #require(changes.removal(of: original))
        let waiting = Task {
            try await removal.waitForEnd()
            words.withLock { $0.append("stored by hand") }
        }
        // When the waiter is cancelled, and the removal is still blocked
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(words.withLock(\.self) == [])
        #expect(changes.haveTouched(source, since: 0), "the removal is still running")
        gate.open()
        try await removal.waitForEnd()
        await removing.value
        #expect(words.withLock(\.self) == ["removed"])
        #expect(changes.count(of: source) == 1)
        #expect(changes.removal(of: original) == nil)
    }

    // MARK: Stores

    private func place(_ variant: String = "v") -> StoreKey {
        StoreKey(VariantKey(source: source, variant: variant), in: cache)
    }

    @Test func `the first store that replaces a key is a change`() async throws {
        let load = load(.overwrites)
        await load.take {}
        #expect(changes.count(of: source) == 1)
        for _ in 0..<2 {
            load.keep(at: place(), in: .memory) {
                // Only at the first store may there be another image.
                #expect(changes.haveTouched(source, since: 2) == (changes.count(of: source) == 1))
            }
            #expect(changes.count(of: source) == 2)
        }
        for tiers in [CacheTiers.all, .disk, .memory] {
            load.keep(at: place(), in: tiers) {}
            #expect(changes.count(of: source) == 3)
        }
        load.keep(at: place("another"), in: .disk) {}
        #expect(changes.count(of: source) == 4)
    }

    @Test func `a store that replaces nothing is not a change`() async throws {
        let load = load(.none)
        await load.take {}
        let kept = load.keep(at: place(), in: .all) { "kept" }
        #expect(kept == "kept")
        #expect(changes.count(of: source) == 0)
    }
}
