import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5)))
struct DiskCacheStatisticsTests {
    private let bench = DiskBench()

    @Test func `every read and store is counted once, by its outcome`() throws {
        let isBroken = Lock(false)
        let cache = bench.cache(
            .init(maxAge: .seconds(1000)),
            files: FaultyFileSystem { operation, _ in
                (operation == .contents || operation == .writeFile) && isBroken.withLock { $0 } ? EIO : nil
            })
        #expect(cache.statistics == DataCacheStatistics())
        #expect(cache.statistics.hitRatio == nil)
        for number in 0..<4 { try cache.store(DiskBench.entry(number), for: DiskBench.key(number)) }
        for number in 0..<6 { _ = try cache.entry(for: DiskBench.key(number)) }
        cache.waitForTrimming()
        #expect(cache.statistics.count == 4)
        #expect(try cache.statistics.byteCount == 4 * DiskBench.unit())
        _ = try cache.contains(DiskBench.key(0))
        cache.waitForTrimming()
        try bench.directory.write(Data(count: 10), to: cache.path(for: DiskBench.key(0)))
        _ = try cache.entry(for: DiskBench.key(0))
        isBroken.withLock { $0 = true }
        _ = try? cache.entry(for: DiskBench.key(1))
        try? cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        isBroken.withLock { $0 = false }
        bench.time.advance(by: .seconds(1001))
        _ = try cache.entry(for: DiskBench.key(1))
        try cache.removeExpired()

        let statistics = cache.statistics
        #expect(statistics.hits == 4)
        #expect(statistics.misses == 4)
        #expect(statistics.insertions == 4)
        #expect(statistics.failures == 2)
        #expect(statistics.bytesRead == 4000)
        #expect(try 4 * DiskBench.unit() == statistics.bytesWritten)
        #expect(statistics.repairs == 1)
        #expect(statistics.expirations == 3)
        #expect(statistics.evictions == 0)
        #expect(statistics.reading.count == 9)
        #expect(statistics.writing.count == 5)
        #expect(statistics.hitRatio == 0.5)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        try cache.trim(toByteCount: 0)
        #expect(cache.statistics.evictions == 1)
        #expect(cache.statistics.count == 0)
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `an entry stored while the directory is counted is counted once`() async throws {
        // Given an entry without a ledger, and another one of its source whose file exists while its store is in
        // progress
        let (former, held) = (VariantKey(source: DiskBench.key(1).source, variant: "former"), DiskBench.key(1))
        let older = bench.cache()
        try older.store(DiskBench.entry(0), for: former)
        older.waitForTrimming()
        try LocalFileSystem().removeFile(bench.directory.path("v2/usage"))
        let gate = BlockingGate()
        defer { gate.open() }
        let directory = DiskCache.parent(of: older.path(for: held))
        let cache = bench.cache(
            .init(durability: .full),
            files: FaultyFileSystem { operation, path in
                if operation == .synchronizeDirectory, path == directory { gate.pass() }
                return nil
            })
        let lane = Lane(name: "t-store", width: 1)
        let store = Task { try await lane.run { try cache.store(DiskBench.entry(1), for: held) } }
        await gate.waitForArrivals(1)
        #expect(bench.exists(cache.path(for: held)))

        // When the directory is counted for the first time
        try cache.store(DiskBench.entry(2), for: DiskBench.key(2))
        cache.waitForTrimming()

        // Then all three are counted after the store has ended
        gate.open()
        try await store.value
        cache.waitForTrimming()
        #expect(cache.statistics.count == 3)
        #expect(try cache.totalByteCount() == cache.statistics.byteCount)
    }

    @Test func `a shard that changes during every scan is scanned again once a second until it is counted`() throws {
        // Given a directory without a ledger, with an uncounted entry
        let source = DiskBench.key(1).source
        let former = bench.cache()
        try former.store(DiskBench.entry(1), for: VariantKey(source: source, variant: "former"))
        former.waitForTrimming()
        try LocalFileSystem().removeFile(bench.directory.path("v2/usage"))
        // And a cache that stores another variant of the source during each scan of its shard
        let shard = bench.directory.path("v2/\(DiskEntryName.shardName(DiskBench.name(1).shard))")
        let storing = Lock<DiskCache?>(nil)
        let lookCount = Lock(0)
        let cache = bench.cache(
            files: FaultyFileSystem { operation, path in
                guard operation == .items, path == shard else { return nil }
                let number = lookCount.withLock { count -> Int in
                    count += 1
                    return count
                }
                let key = VariantKey(source: source, variant: "\(number)")
                try? storing.withLock { $0 }?.store(DiskBench.entry(number), for: key)
                return nil
            })
        /// Waits for the first count of the directory, and for the scan that may follow.
        func settle() {
            for _ in 0..<2 { cache.trimmingQueue.sync {} }
        }
        storing.withLock { $0 = cache }
        // When the directory is counted, which takes three attempts and one repeat
        try cache.store(DiskBench.entry(0), for: VariantKey(source: source))
        settle()
        #expect(lookCount.withLock { $0 } == 4)
        // Then there is one scan a second
        bench.time.advance(by: .milliseconds(999))
        settle()
        #expect(lookCount.withLock { $0 } == 4)
        bench.time.advance(by: .milliseconds(1))
        settle()
        #expect(lookCount.withLock { $0 } == 5)
        // And the last one counts all entries
        storing.withLock { $0 = nil }
        bench.time.advance(by: .seconds(1))
        settle()
        #expect(lookCount.withLock { $0 } == 6)
        #expect(cache.statistics.count == 7)
        bench.time.advance(by: .seconds(10))
        settle()
        #expect(lookCount.withLock { $0 } == 6)
    }

    @Test func `the statistics hold the durations of calls`() throws {
        let time = bench.time
        let cache = bench.cache(
            files: FaultyFileSystem { operation, path in
                if operation == .contents, !path.hasSuffix("/secret") { time.advance(by: .milliseconds(30)) }
                return nil
            })
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        cache.waitForTrimming()
        for _ in 0..<3 { _ = try cache.entry(for: DiskBench.key(1)) }
        let reading = cache.statistics.reading
        #expect(reading.count == 3)
        #expect(reading.total == .milliseconds(90))
        #expect(reading.longest == .milliseconds(30))
        #expect(reading.mean == .milliseconds(30))
        #expect(DataCacheStatistics().reading.mean == .zero)
    }
}
