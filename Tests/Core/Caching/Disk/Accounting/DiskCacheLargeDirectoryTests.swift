import CalotypeTesting
import Testing

@testable import Calotype

/// The cost of a directory with more entries than the sample size. Calls are counted, not time.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheLargeDirectoryTests {
    private static let count = 400
    /// The sample size, in proportion to `count`. The default is for 4,000 entries.
    private static let sampleCount = 100
    private let bench = DiskBench()
    private let unit: Int

    init() throws {
        unit = try DiskBench.unit(byteCount: 10)
        try bench.stock(bench.cache(), 0..<Self.count, byteCount: 10)
    }

    private func makeCache(byteLimit: Int = .max, files: any FileSystem = LocalFileSystem()) -> DiskCache {
        var configuration = DiskCache.Configuration(byteLimit: byteLimit, lowWaterMark: 0.98)
        configuration.sampleCount = Self.sampleCount
        return bench.cache(configuration, files: files)
    }

    /// Stores one more entry.
    private func storeAnother(in cache: DiskCache) throws {
        bench.time.advance(by: .seconds(1))
        try cache.store(DiskBench.entry(1, byteCount: 10), for: DiskBench.key(Self.count))
        cache.waitForTrimming()
    }

    @Test func `the first hit costs as much as in an empty directory`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let cache = makeCache(files: files)
        #expect(try cache.entry(for: DiskBench.key(7)) != nil)
        // The owners of the directory and of the layout, the secret, the contents, and the time of use.
        #expect(files.callCount == 5)
        #expect(try cache.entry(for: DiskBench.key(7)) != nil)
        #expect(files.callCount == 6)
    }

    @Test func `opening for writing reads only part of the directory`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let cache = makeCache(files: files)
        try storeAnother(in: cache)
        // Listing all of it would take some 600 calls.
        #expect(files.callCount < 300)
        #expect(try cache.totalCount() == Self.count + 1)
    }

    @Test func `a trim reads only part of the directory, and removes old entries`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let target = Self.count * 98 / 100
        let cache = makeCache(byteLimit: (Self.count - 1) * unit, files: files)
        try storeAnother(in: cache)
        // Opening, listing a quarter of the directory, and three calls for each of ten entries.
        #expect(files.callCount < 500)
        let kept = try bench.kept(bench.cache(), 0..<Self.count + 1)
        #expect(abs(kept.count - target) <= Self.count / 100)
        #expect(kept.filter { $0 >= Self.count / 2 }.count == Self.count / 2 + 1)
        #expect(cache.statistics.evictions == Self.count + 1 - kept.count)
    }

    @Test func `a trim removes half of the entries exactly, the older half`() throws {
        let cache = makeCache()
        var parts: [Double] = []
        try cache.trim(toByteCount: Self.count / 2 * unit) { parts.append($0) }
        #expect(try bench.kept(cache, 0..<Self.count) == Array(Self.count / 2..<Self.count))
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
        // The ledger is updated after every 25 removals.
        #expect(parts.filter { $0 > 0.5 && $0 < 1 }.count >= 7)
    }
}
