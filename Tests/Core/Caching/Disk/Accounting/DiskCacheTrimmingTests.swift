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
struct DiskCacheTrimmingTests {
    private let directory = TemporaryDirectory()
    private let time = ManualTime()
    private let issues = Lock<[ImageError]>([])
    private let entry = CacheEntry(data: Data(repeating: 7, count: 1000))
    /// The file size of `entry` under any of the keys.
    private let unit: Int

    init() throws {
        unit = try DiskEntryFormat.pieces(of: entry, for: Self.key(0), under: DiskBench.secret, creation: 0)
            .reduce(0) { $0 + $1.count }
    }

    private static func key(_ number: Int) -> VariantKey { DiskBench.key(number) }

    private func makeCache(
        _ configuration: DiskCache.Configuration = .init(), fileSystem: any FileSystem = LocalFileSystem()
    ) -> DiskCache {
        DiskCache(
            at: directory.url, configuration: configuration, transform: nil, readOnlyDirectories: [],
            fileSystem: fileSystem,
            time: time, makeSecret: { DiskBench.secret },
            onIssue: { [issues] issue in issues.withLock { $0.append(issue) } })
    }

    /// Stores entries ten seconds apart, and waits for trimming after each.
    private func fill(_ cache: DiskCache, _ numbers: Range<Int>) throws {
        for number in numbers {
            time.advance(by: .seconds(10))
            try cache.store(entry, for: Self.key(number))
            cache.waitForTrimming()
        }
    }

    private func kept(_ cache: DiskCache, _ numbers: Range<Int>) throws -> [Int] {
        try numbers.filter { try cache.contains(Self.key($0)) }
    }

    @Test func `bytes and entries are counted`() throws {
        let cache = makeCache()
        try fill(cache, 0..<5)
        #expect(try cache.totalCount() == 5)
        #expect(try cache.totalByteCount() == 5 * unit)
    }

    @Test func `beyond the limit the least recently used entries are removed, down to four fifths`() throws {
        let cache = makeCache(.init(byteLimit: 10 * unit))
        try fill(cache, 0..<10)
        #expect(try kept(cache, 0..<10) == Array(0..<10))
        time.advance(by: .seconds(100))
        #expect(try cache.entry(for: Self.key(0)) != nil)
        try fill(cache, 10..<11)
        #expect(try kept(cache, 0..<11) == [0, 4, 5, 6, 7, 8, 9, 10])
        #expect(issues.withLock { $0.count } == 0)
    }

    @Test func `expired entries are removed first, and no others if that is enough`() throws {
        let cache = makeCache(.init(byteLimit: 10 * unit))
        try fill(cache, 0..<7)
        for number in 7..<10 {
            let short = CacheEntry(data: entry.data, expiration: time.wallTime() + 20)
            try cache.store(short, for: Self.key(number))
            cache.waitForTrimming()
        }
        time.advance(by: .seconds(30))
        try fill(cache, 10..<11)
        #expect(try kept(cache, 0..<11) == [0, 1, 2, 3, 4, 5, 6, 10])
        #expect(try cache.totalCount() == 8)
    }

    @Test func `the limit holds while hundreds are stored`() throws {
        let limit = 40 * unit
        let cache = makeCache(.init(byteLimit: limit))
        for number in 0..<250 {
            try cache.store(entry, for: Self.key(number))
            if number % 10 == 0 { #expect(try cache.totalByteCount() <= limit / 2 * 3 + 4 * unit) }
        }
        cache.waitForTrimming()
        #expect(try cache.totalByteCount() <= limit)
        #expect(try cache.totalCount() > 0)
    }

    @Test func `the limit holds while several threads store`() throws {
        let limit = 40 * unit
        let cache = makeCache(.init(byteLimit: limit))
        let entry = self.entry
        let failures = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<75 {
                do {
                    try cache.store(entry, for: Self.key(thread * 100 + number))
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        cache.waitForTrimming()
        #expect(failures.withLock { $0 } == [])
        #expect(try cache.totalByteCount() <= limit)
    }

    @Test func `entries stored by another process are noticed in time`() throws {
        let limit = 80 * unit
        let (one, other) = (makeCache(.init(byteLimit: limit)), makeCache(.init(byteLimit: limit)))
        for number in 0..<160 {
            time.advance(by: .seconds(1))
            try (number % 2 == 0 ? one : other).store(entry, for: Self.key(number))
            one.waitForTrimming()
            other.waitForTrimming()
            // Before that the limit is not reached.
            if number >= 80 { #expect(try one.totalByteCount() <= limit / 8 * 10 + 2 * unit) }
        }
    }

    @Test func `an entry stored again during a trim keeps its new age`() throws {
        let cache = makeCache()
        try fill(cache, 0..<10)
        // Another cache stores the oldest entry again when the trim has selected it.
        let (oldest, entry, time) = (Self.key(0), self.entry, self.time)
        let path = cache.path(for: oldest)
        let other = makeCache()
        let isDue = Lock(true)
        let files = FaultyFileSystem { operation, examined in
            guard operation == .attributes, examined == path else { return nil }
            let isFirst = isDue.withLock { isDue -> Bool in
                defer { isDue = false }
                return isDue
            }
            guard isFirst else { return nil }
            time.advance(by: .seconds(10))
            return (try? other.store(entry, for: oldest)) == nil ? EIO : nil
        }
        let trimming = makeCache(fileSystem: files)
        try trimming.trim(toByteCount: 5 * unit)
        #expect(!isDue.withLock { $0 })
        #expect(try kept(cache, 0..<10) == [0, 6, 7, 8, 9])
        #expect(trimming.statistics.evictions == 5)
    }

    @Test func `an entry used or stored again after it was found old is not removed`() throws {
        let cache = makeCache()
        try fill(cache, 0..<3)
        time.advance(by: .seconds(100))
        // Another cache stores the entry again when it has been found.
        let (oldest, entry) = (Self.key(0), self.entry)
        let path = cache.path(for: oldest)
        let other = makeCache()
        let files = FaultyFileSystem { operation, examined in
            guard operation == .attributes, examined == path else { return nil }
            return (try? other.store(entry, for: oldest)) == nil ? EIO : nil
        }
        try makeCache(fileSystem: files).removeAll(olderThan: .seconds(50))
        #expect(try kept(cache, 0..<3) == [0])
    }

    @Test func `the newest entry stays if the limits allow it, whatever a trim would leave`() throws {
        let cache = makeCache(.init(countLimit: 1))
        for number in 0..<4 {
            try fill(cache, number..<number + 1)
            #expect(try kept(cache, 0..<4) == [number])
        }
        try cache.trim(toByteCount: unit - 1)
        #expect(try cache.totalCount() == 0)
    }

    @Test func `an entry nearly as large as the limit replaces all others`() throws {
        let cache = makeCache(.init(byteLimit: 10 * unit))
        try fill(cache, 0..<3)
        time.advance(by: .seconds(10))
        try cache.store(CacheEntry(data: Data(count: 9 * unit)), for: Self.key(3))
        cache.waitForTrimming()
        #expect(try kept(cache, 0..<4) == [3])
        #expect(cache.statistics.evictions == 3)
    }

    @Test func `the limit is applied to a directory that was already full`() throws {
        try fill(makeCache(), 0..<20)
        let cache = makeCache(.init(byteLimit: 10 * unit))
        try fill(cache, 20..<21)
        #expect(try kept(cache, 0..<21) == Array(13..<21))
    }

    @Test func `a trim on demand reduces the cache to the given size`() throws {
        let cache = makeCache()
        try fill(cache, 0..<10)
        try cache.trim(toByteCount: 5 * unit + 1)
        #expect(try kept(cache, 0..<10) == Array(5..<10))
        try cache.trim(toByteCount: 0)
        #expect(try cache.totalCount() == 0)
    }

    @Test func `expired entries are removed on demand, and no others`() throws {
        let cache = makeCache(.init(maxAge: .seconds(1000)))
        try fill(cache, 0..<2)
        time.advance(by: .seconds(900))
        try fill(cache, 2..<4)
        try cache.store(CacheEntry(data: entry.data, expiration: time.wallTime() + 50), for: Self.key(4))
        try cache.store(CacheEntry(data: entry.data, expiration: time.wallTime() + 5000), for: Self.key(5))
        time.advance(by: .seconds(100))
        try cache.removeExpired()
        #expect(try cache.totalCount() == 3)
        #expect(try kept(cache, 0..<6) == [2, 3, 5])
    }

    @Test func `leftovers and empty directories are removed, foreign files stay`() throws {
        let cache = makeCache()
        try fill(cache, 0..<3)
        let sources = (0..<3).map { directory.path("v2/\(DiskBench.name($0).directory)") }
        let (old, new) = ("\(sources[0])/\(DiskEntryName.temporary())", "\(sources[0])/\(DiskEntryName.temporary())")
        let foreign = "\(sources[1])/notes.txt"
        try directory.write(Data("half an entry".utf8), to: old, modificationTime: time.wallTime() - 3700)
        try directory.write(Data("half an entry".utf8), to: new, modificationTime: time.wallTime() - 60)
        try directory.write(Data("mine".utf8), to: foreign, modificationTime: 1)
        try cache.remove(Self.key(2))
        #expect(try cache.totalByteCount() == 2 * unit)
        try cache.trim(toByteCount: 0)
        let left = Set(try directory.contents())
        func relative(_ path: String) -> String { String(path.dropFirst(directory.root.count + 1)) }
        #expect(!left.contains(relative(old)))
        #expect(left.contains(relative(new)))
        #expect(left.contains(relative(foreign)))
        #expect(!left.contains(relative(sources[2])))
        time.advance(by: .seconds(3700))
        try cache.trim(toByteCount: 0)
        #expect(!Set(try directory.contents()).contains(relative(sources[0])))
    }

    @Test func `temporary files are removed from a directory that never fills up`() throws {
        try fill(makeCache(), 0..<3)
        let source = directory.path("v2/\(DiskBench.name(0).directory)")
        let leftover = "\(source)/\(DiskEntryName.temporary())"
        try directory.write(Data("half an entry".utf8), to: leftover, modificationTime: time.wallTime() - 3700)
        let left = String(leftover.dropFirst(directory.root.count + 1))
        try #require(try directory.contents().contains(left))
        try fill(makeCache(), 3..<4)
        #expect(try !directory.contents().contains(left))
    }

    @Test func `a date in the future does not keep an entry forever`() throws {
        let cache = makeCache()
        try fill(cache, 0..<1)
        time.moveWallTime(by: -365 * 86_400)
        try cache.removeExpired()
        try fill(cache, 1..<2)
        try cache.trim(toByteCount: unit)
        #expect(try kept(cache, 0..<2) == [1])
        time.advance(by: .seconds(8 * 86_400))
        try cache.removeExpired()
        #expect(try cache.totalCount() == 0)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a negative limit counts as zero`(limit: Int) throws {
        let cache = makeCache(.init(countLimit: limit))
        try fill(cache, 0..<3)
        #expect(try cache.totalCount() == 0)
        try fill(makeCache(), 0..<3)
        try cache.trim(toByteCount: limit)
        #expect(try cache.totalCount() == 0)
    }

    @Test func `the limit holds even if each store fails at its end`() throws {
        let files = FaultyFileSystem { operation, _ in operation == .synchronizeDirectory ? EINVAL : nil }
        let cache = makeCache(.init(byteLimit: 10 * unit, durability: .full), fileSystem: files)
        for number in 0..<50 {
            time.advance(by: .seconds(10))
            #expect(throws: ImageError.self) { try cache.store(entry, for: Self.key(number)) }
        }
        cache.waitForTrimming()
        #expect(try makeCache().totalByteCount() <= 10 * unit)
    }

    @Test func `an entry that cannot be removed is reported, and the rest is removed`() throws {
        let stuck = Self.key(1)
        let path = makeCache().path(for: stuck)
        let files = FaultyFileSystem { operation, other in operation == .removeFile && other == path ? EIO : nil }
        let cache = makeCache(.init(byteLimit: 10 * unit), fileSystem: files)
        try fill(cache, 0..<11)
        #expect(try kept(cache, 0..<11) == [1, 4, 5, 6, 7, 8, 9, 10])
        let issue = try #require(issues.withLock { $0.first })
        #expect(issue.code == .cacheFailed)
        #expect(issue.subject == path)

        let error = try #require(throws: ImageError.self) { try cache.trim(toByteCount: 0) }
        #expect(error.subject == path)
        #expect(try kept(cache, 0..<11) == [1])
    }

    @Test func `a directory that cannot be listed does not stop a trim`() throws {
        let path = directory.path("v2/\(DiskBench.name(1).directory)")
        let files = FaultyFileSystem { operation, other in operation == .items && other == path ? EACCES : nil }
        let cache = makeCache(fileSystem: files)
        try fill(cache, 0..<3)
        #expect(throws: ImageError.self) { try cache.totalByteCount() }
        #expect(throws: ImageError.self) { try cache.trim(toByteCount: 0) }
        #expect(try kept(cache, 0..<3) == [1])
    }
}
