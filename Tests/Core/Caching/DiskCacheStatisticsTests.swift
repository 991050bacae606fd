import CalotypeTesting
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

    @Test func `every read and store is counted once, by what became of it`() throws {
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
        try bench.folder.write(Data(count: 10), to: cache.path(for: DiskBench.key(0)))
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

    @Test func `times are those that calls took`() throws {
        let time = bench.time
        let cache = bench.cache(
            files: FaultyFileSystem { operation, _ in
                if operation == .contents { time.advance(by: .milliseconds(30)) }
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
