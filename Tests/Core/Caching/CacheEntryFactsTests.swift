import CalotypeTesting
import Testing

@testable import Calotype

/// Facts about an entry, which can be queried without counting as a use.
@Suite(.timeLimit(.minutes(5)))
struct CacheEntryFactsTests {
    private let bench = DiskBench()

    @Test func `the facts of an entry hold its size, age, expiration and attributes, and count no lookup`() throws {
        let cache = bench.cache()
        let end = bench.time.wallTime() + 1000
        try cache.store(
            CacheEntry(data: Data(count: 100), expiration: end, attributes: ["a": "b"]), for: DiskBench.key(1))
        try cache.store(DiskBench.entry(2), for: DiskBench.key(2))
        let start = bench.time.wallTime()
        bench.time.advance(by: .seconds(500))
        let facts = try #require(cache.facts(of: DiskBench.key(1)))
        let file = try LocalFileSystem().attributes(of: cache.path(for: DiskBench.key(1)))
        #expect(facts.byteCount == file.byteCount)
        #expect(facts.start == start)
        #expect(facts.expiration == end)
        #expect(facts.attributes == ["a": "b"])
        #expect(cache.facts(of: DiskBench.key(2))?.expiration == start + 7 * 86_400)
        #expect(cache.facts(of: DiskBench.key(3)) == nil)
        #expect(cache.statistics.hits == 0)
        #expect(cache.statistics.misses == 0)
        bench.time.advance(by: .seconds(501))
        #expect(cache.facts(of: DiskBench.key(1)) == nil, "the entry has expired")
        #expect(bench.exists(cache.path(for: DiskBench.key(1))), "a lookup of the facts removes no entry")
    }

    @Test func `a damaged entry has no facts, and is left for the next read`() throws {
        let cache = bench.cache()
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        let path = cache.path(for: DiskBench.key(1))
        try bench.directory.write(Data(count: 200), to: path, modificationTime: bench.time.wallTime())
        #expect(cache.facts(of: DiskBench.key(1)) == nil)
        #expect(bench.exists(path))
        #expect(bench.issues.isEmpty)
    }

    @Test func `without an age limit an entry has no end`() throws {
        let cache = bench.cache(DiskCache.Configuration(maxAge: nil))
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        let facts = try #require(cache.facts(of: DiskBench.key(1)))
        #expect(facts.expiration == nil)
    }

    @Test func `facts are found in a read-only directory too`() throws {
        let other = TemporaryDirectory()
        try bench.cache(in: other).store(
            CacheEntry(data: Data(count: 100), attributes: ["a": "b"]), for: DiskBench.key(1))
        let cache = bench.cache(readOnlyDirectories: [.cache(at: other.url)])
        #expect(cache.facts(of: DiskBench.key(1)) == CacheEntry.Facts(byteCount: 100, attributes: ["a": "b"]))
    }

    @Test func `tiers and groups pass the facts on`() throws {
        let cache = bench.cache()
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        let facts = try #require(cache.facts(of: DiskBench.key(1)))
        let tiered: any ImageCache = TieredCache(memory: nil, disk: cache)
        #expect(tiered.facts(of: DiskBench.key(1)) == facts)
        let group: any ImageCache = CacheGroup([TieredCache(disk: InMemoryDataCache()), tiered])
        #expect(group.facts(of: DiskBench.key(1)) == facts)
        let silent: any ImageCache = TieredCache(disk: InMemoryDataCache())
        #expect(silent.facts(of: DiskBench.key(1)) == nil)
    }
}
