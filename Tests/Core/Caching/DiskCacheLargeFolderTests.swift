import CalotypeTesting
import Testing

@testable import Calotype

/// What a folder with many entries costs: calls are counted, not time.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheLargeFolderTests {
    private static let count = 4000
    private let bench = DiskBench()
    private let unit: Int

    init() throws {
        unit = try DiskBench.unit(byteCount: 10)
        let cache = bench.cache()
        for number in 0..<Self.count {
            bench.time.advance(by: .seconds(1))
            try cache.store(DiskBench.entry(number, byteCount: 10), for: DiskBench.key(number))
        }
        cache.waitForTrimming()
    }

    @Test func `the first hit costs as much as in an empty folder`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let cache = bench.cache(files: files)
        #expect(try cache.entry(for: DiskBench.key(7)) != nil)
        // Attributes, use, content.
        #expect(files.callCount <= 3)
        #expect(try cache.entry(for: DiskBench.key(7)) != nil)
        #expect(files.callCount <= 4)
    }

    @Test func `opening for writing looks at part of the folder`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let cache = bench.cache(files: files)
        try cache.store(DiskBench.entry(1, byteCount: 10), for: DiskBench.key(Self.count))
        cache.waitForTrimming()
        // To list all of it would be 4,257 calls.
        #expect(files.callCount < 2000)
        #expect(try cache.totalCount() == Self.count + 1)
    }

    @Test func `a trim looks at part of the folder, and takes old ones`() throws {
        let files = FaultyFileSystem { _, _ in nil }
        let target = Self.count * 98 / 100
        let cache = bench.cache(
            .init(byteLimit: (Self.count - 1) * unit, lowWaterMark: 0.98), files: files)
        try cache.store(DiskBench.entry(1, byteCount: 10), for: DiskBench.key(Self.count))
        cache.waitForTrimming()
        #expect(files.callCount < 4257)
        let kept = try bench.kept(bench.cache(), 0..<Self.count + 1)
        #expect(abs(kept.count - target) <= Self.count / 100)
        #expect(kept.filter { $0 >= Self.count / 2 }.count == Self.count / 2 + 1)
        #expect(cache.statistics.evictions == Self.count + 1 - kept.count)
    }

    @Test func `half of it goes exactly, the older half`() throws {
        let cache = bench.cache()
        var parts: [Double] = []
        try cache.trim(toByteCount: Self.count / 2 * unit) { parts.append($0) }
        #expect(try bench.kept(cache, 0..<Self.count) == Array(Self.count / 2..<Self.count))
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
    }
}
