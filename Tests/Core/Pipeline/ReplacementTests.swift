import Testing

@testable import Calotype

/// Which of several loads of a source has the last word.
@Suite(.timeLimit(.minutes(5)))
struct ReplacementTests {
    private let changes = CacheChanges()
    private let source = SourceKey("a")

    private func load(of source: SourceKey? = nil) -> Replacement {
        Replacement(of: source ?? self.source, among: changes, isDue: true)
    }

    @Test func `what began before a replacement is not the latest, and replaces nothing`() async {
        let (older, newer, other) = (load(), load(), load(of: SourceKey("b")))
        await newer.take { [changes, source] in #expect(changes.haveTouched(source, since: 0), "it is under way") }
        #expect(newer.isLatest)
        #expect(!older.isLatest)
        #expect(other.isLatest)
        #expect(changes.count(of: source) == 1, "it has ended")
        await older.take { Issue.record("it is too late") }
        #expect(newer.isLatest)
        #expect(changes.count(of: source) == 1)
    }

    @Test func `what begins after a replacement has the next word`() async {
        let first = load()
        await first.take {}
        let second = load()
        #expect(second.isLatest)
        #expect(first.isLatest, "nothing has come of the second one yet")
        await second.take {}
        #expect(second.isLatest)
        #expect(!first.isLatest)
    }

    @Test func `where there is nothing to be replaced nothing is, and that is not the last word`() async {
        let (first, second) = (Replacement(of: source, among: changes, isDue: false), load())
        await first.take { Issue.record("there is nothing to be removed") }
        #expect(changes.replacementCount == 0)
        #expect(second.isLatest)
        await second.take {}
        #expect(!first.isLatest)
    }

    @Test func `it is done once, and all wait for it`() async {
        let load = load()
        let count = Lock(0)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await load.take { count.withLock { $0 += 1 } }
                    return count.withLock(\.self)
                }
            }
            for await seen in group { #expect(seen == 1) }
        }
        #expect(load.isLatest)
        #expect(changes.replacementCount == 1)
    }

    @Test func `replacements of other sources do not matter, until nobody can know any more whose they were`() async {
        let early = load()
        for index in 0..<CacheChanges.knownReplacements {
            await load(of: SourceKey("\(index)")).take {}
        }
        #expect(early.isLatest)
        let late = load()
        await load(of: SourceKey("one more")).take {}
        #expect(!early.isLatest, "rather too little is kept than what is old")
        #expect(late.isLatest)
        await late.take {}
        #expect(late.isLatest)
    }
}
