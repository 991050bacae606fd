import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DiskCacheExpirationTests {
    private let bench = DiskBench()
    private let key = DiskBench.key(1)
    private let entry = DiskBench.entry(1)

    private func configuration(_ expiration: DiskCache.Expiration) -> DiskCache.Configuration {
        DiskCache.Configuration(maxAge: .seconds(1000), expiration: expiration)
    }

    @Test func `by default an entry expires a week after its last use`() throws {
        let cache = bench.cache()
        let (used, unused) = (DiskBench.key(1), DiskBench.key(2))
        for key in [used, unused] { try cache.store(entry, for: key) }
        bench.time.advance(by: .seconds(6 * 86_400))
        #expect(try cache.entry(for: used) == entry)
        bench.time.advance(by: .seconds(2 * 86_400))
        #expect(try cache.entry(for: used) == entry)
        #expect(try cache.entry(for: unused) == nil)
        #expect(cache.statistics.expirations == 1)
    }

    @Test func `an entry in use stays, however short its maximum age`() throws {
        let cache = bench.cache(.init(maxAge: .seconds(60)))
        try cache.store(entry, for: key)
        for pause in [29, 29, 4, 50, 9] {
            bench.time.advance(by: .seconds(pause))
            #expect(try cache.entry(for: key) == entry)
        }
        // The same applies to another cache on the directory.
        #expect(try bench.cache(.init(maxAge: .seconds(60))).contains(key))
        bench.time.advance(by: .seconds(61))
        #expect(try cache.entry(for: key) == nil)
        #expect(cache.statistics.expirations == 1)
    }

    @Test func `with modification expiration, storing extends the life of an entry and reading does not`() throws {
        let cache = bench.cache(configuration(.modification))
        try cache.store(entry, for: key)
        for _ in 0..<9 {
            bench.time.advance(by: .seconds(100))
            #expect(try cache.entry(for: key) == entry)
        }
        try cache.store(entry, for: key)
        bench.time.advance(by: .seconds(990))
        #expect(try cache.entry(for: key) == entry)
        bench.time.advance(by: .seconds(11))
        #expect(try !cache.contains(key))
        #expect(try cache.entry(for: key) == nil)
        #expect(!bench.exists(cache.path(for: key)))
    }

    @Test func `with creation expiration, storing again does not extend the life of an entry`() throws {
        let cache = bench.cache(configuration(.creation))
        try cache.store(entry, for: key)
        for _ in 0..<9 {
            bench.time.advance(by: .seconds(100))
            try cache.store(entry, for: key)
            #expect(try cache.entry(for: key) == entry)
        }
        bench.time.advance(by: .seconds(101))
        #expect(try cache.entry(for: key) == nil)

        // A new entry has a new lifetime.
        try cache.store(entry, for: key)
        bench.time.advance(by: .seconds(900))
        #expect(try cache.entry(for: key) == entry)
        bench.time.advance(by: .seconds(200))
        try cache.store(entry, for: key)
        bench.time.advance(by: .seconds(900))
        #expect(try cache.entry(for: key) == entry)
    }

    @Test func `an entry that replaces an expired one has a new creation date`() throws {
        let cache = bench.cache(configuration(.creation))
        let dated = CacheEntry(data: entry.data, expiration: bench.time.wallTime() + 10)
        try cache.store(dated, for: key)
        bench.time.advance(by: .seconds(20))
        try cache.store(entry, for: key)
        bench.time.advance(by: .seconds(990))
        #expect(try cache.entry(for: key) == entry)
        bench.time.advance(by: .seconds(11))
        #expect(try cache.entry(for: key) == nil)
    }

    @Test(arguments: [nil, .zero, .seconds(-1)] as [Duration?])
    func `without a valid maximum age entries stay forever`(maxAge: Duration?) throws {
        for expiration in DiskCache.Expiration.allCases {
            let cache = bench.cache(.init(maxAge: maxAge, expiration: expiration))
            try cache.store(entry, for: key)
            bench.time.advance(by: .seconds(100 * 365 * 86_400))
            #expect(try cache.contains(key))
            #expect(try cache.entry(for: key) == entry)
            try cache.removeExpired()
            #expect(try cache.totalCount() == 1)
        }
    }

    @Test(arguments: DiskCache.Expiration.allCases)
    func `limits evict by the same age as expiration`(expiration: DiskCache.Expiration) throws {
        let unit = try DiskBench.unit()
        let cache = bench.cache(.init(byteLimit: 10 * unit, expiration: expiration))
        try bench.fill(cache, 0..<10)
        bench.time.advance(by: .seconds(100))
        #expect(try cache.entry(for: DiskBench.key(0)) != nil)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        cache.waitForTrimming()
        try bench.fill(cache, 10..<11)
        let expected: [DiskCache.Expiration: [Int]] = [
            .access: [0, 1, 5, 6, 7, 8, 9, 10], .modification: [1, 4, 5, 6, 7, 8, 9, 10],
            .creation: [3, 4, 5, 6, 7, 8, 9, 10],
        ]
        #expect(try bench.kept(cache, 0..<11) == expected[expiration])
    }

    @Test(arguments: DiskCache.Expiration.allCases)
    func `when the clock goes back nothing expires, and ages start anew`(expiration: DiskCache.Expiration) throws {
        let cache = bench.cache(configuration(expiration))
        try cache.store(entry, for: key)
        try cache.store(entry, for: DiskBench.key(2))
        bench.time.moveWallTime(by: -86_400)
        #expect(try cache.contains(key))
        #expect(try cache.entry(for: key) == entry)
        try cache.removeExpired()
        #expect(try cache.totalCount() == 2)
        bench.time.advance(by: .seconds(900))
        #expect(try cache.entry(for: key) == entry)
        bench.time.advance(by: .seconds(1001))
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `an entry stored after the clock went back is not dated in the future`() throws {
        let cache = bench.cache(configuration(.creation))
        try cache.store(entry, for: key)
        bench.time.moveWallTime(by: -86_400)
        try cache.store(entry, for: key)
        let stamp = try LocalFileSystem().attributes(of: cache.path(for: key)).modificationTime
        #expect(abs(stamp - bench.time.wallTime()) < 1)
    }

    @Test func `removing old entries first resets dates in the future`() throws {
        let cache = bench.cache(.init(maxAge: nil))
        try bench.fill(cache, 0..<2)
        let path = cache.path(for: DiskBench.key(0))
        try LocalFileSystem().setModificationTime(bench.time.wallTime() + 100 * 86_400, of: path)
        try cache.removeAll(olderThan: .seconds(50))
        #expect(try bench.kept(cache, 0..<2) == [0, 1])
        let stamp = try LocalFileSystem().attributes(of: path).modificationTime
        #expect(abs(stamp - bench.time.wallTime()) < 1)
        bench.time.advance(by: .seconds(51))
        try cache.removeAll(olderThan: .seconds(50))
        #expect(try cache.totalCount() == 0)
    }

    /// The accesses that notice an expired entry.
    enum Look: CaseIterable, Sendable {
        case read, contains, facts, trim, shipped
    }

    @Test(arguments: Look.allCases, [false, true])
    func `an expiration date set by a fast clock does not make an entry valid for longer`(
        look: Look, isStampCorrect: Bool
    ) throws {
        let cache = bench.cache(.init(maxAge: nil))
        bench.time.moveWallTime(by: 100 * 86_400)
        try cache.store(CacheEntry(data: entry.data, expiration: bench.time.wallTime() + 60), for: key)
        cache.waitForTrimming()
        #expect(try cache.contains(key))
        bench.time.moveWallTime(by: -100 * 86_400)
        if isStampCorrect {
            try LocalFileSystem().setModificationTime(bench.time.wallTime(), of: cache.path(for: key))
        }
        switch look {
        case .read:
            #expect(try cache.entry(for: key) == nil)
            #expect(cache.statistics.expirations == 1)
            #expect(!bench.exists(cache.path(for: key)))
        case .contains: #expect(try !cache.contains(key))
        case .facts: #expect(cache.facts(of: key) == nil)
        case .trim:
            try cache.removeExpired()
            #expect(try cache.totalCount() == 0)
        case .shipped:
            let other = bench.cache(in: TemporaryDirectory(), readOnlyDirectories: [.cache(at: bench.directory.url)])
            #expect(try !other.contains(key))
            #expect(try other.entry(for: key) == nil)
        }
        #expect(bench.issues.map(\.description) == [])
    }

    @Test func `clocks that differ by less than a minute do not take an entry away`() throws {
        let cache = bench.cache()
        let dated = CacheEntry(data: entry.data, expiration: bench.time.wallTime() + 600)
        try cache.store(dated, for: key)
        bench.time.moveWallTime(by: -59)
        #expect(try cache.contains(key))
        #expect(try cache.entry(for: key) == dated)
        bench.time.moveWallTime(by: -2)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `a temporary file dated in the future is removed like an old one`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<2)
        let directory = URL(filePath: cache.path(for: DiskBench.key(0))).deletingLastPathComponent()
        let leftover = directory.appending(path: DiskEntryName.temporary()).path(percentEncoded: false)
        try bench.directory.write(Data("half".utf8), to: leftover, modificationTime: bench.time.wallTime() + 86_400)
        try cache.removeExpired()
        #expect(!bench.exists(leftover))
        #expect(try bench.kept(cache, 0..<2) == [0, 1])
    }

    @Test func `removing by age removes entries that were not used for that long`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<5)
        bench.time.advance(by: .seconds(100))
        _ = try cache.entry(for: DiskBench.key(1))
        var parts: [Double] = []
        try cache.removeAll(olderThan: .seconds(115)) { parts.append($0) }
        #expect(try bench.kept(cache, 0..<5) == [1, 3, 4])
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
        try cache.removeAll(olderThan: .seconds(115))
        #expect(try cache.totalCount() == 3)
    }

    // The row C45 of the reference library, with our limits.
    @Test func `age and size limits hold together`() throws {
        let unit = try DiskBench.unit()
        let cache = bench.cache(.init(byteLimit: 10 * unit, maxAge: .seconds(100)))
        try bench.fill(cache, 0..<20)
        #expect(try cache.totalByteCount() <= 10 * unit)
        #expect(try cache.totalCount() == cache.totalByteCount() / unit)
        bench.time.advance(by: .seconds(60))
        try bench.fill(cache, 20..<23)
        bench.time.advance(by: .seconds(60))
        try cache.removeExpired()
        #expect(try bench.kept(cache, 0..<23) == [20, 21, 22])
        #expect(try cache.totalByteCount() == 3 * unit)
    }
}
