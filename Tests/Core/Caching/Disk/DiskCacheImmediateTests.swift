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

/// Immediate lookups of entries, without waiting.
@Suite(.timeLimit(.minutes(5)), .enabled(if: ImmediateReading.isPossible))
struct DiskCacheImmediateTests {
    private struct PlainTransform: DataTransform {
        let identity = "plain"

        func encode(_ bytes: Data) throws -> Data { bytes }
        func decode(_ bytes: Data) throws -> Data { bytes }
    }

    private let bench = DiskBench()
    private let key = DiskBench.key(1)
    private let entry = DiskBench.entry(1)
    /// The entry whose reads check the directory.
    private let other = DiskBench.key(2)

    /// Returns a cache with an entry that has been read and can be returned immediately.
    private func hotCache(
        _ configuration: DiskCache.Configuration = .init(), readOnlyDirectories: [ReadOnlyDirectory] = []
    ) throws -> DiskCache {
        let cache = bench.cache(configuration, readOnlyDirectories: readOnlyDirectories)
        try cache.store(entry, for: key)
        try cache.store(DiskBench.entry(2), for: other)
        cache.waitForTrimming()
        #expect(try cache.entry(for: key) == entry)
        #expect(cache.immediateEntry(for: key) == .entry(entry))
        return cache
    }

    /// Checks the directory by a read, so that a following `unknown` result is due to the entry.
    private func look(_ cache: DiskCache) throws {
        #expect(try cache.entry(for: other) == DiskBench.entry(2))
        #expect(cache.immediateEntry(for: other) == .entry(DiskBench.entry(2)))
    }

    /// Checks the directory after some time.
    private func look(_ cache: DiskCache, after duration: Duration) throws {
        bench.time.advance(by: duration)
        try look(cache)
    }

    // MARK: Known results

    @Test(arguments: [0, 1, 1000, 60_000])
    func `an entry that was read recently is returned, and counts as a hit`(byteCount: Int) throws {
        let full = CacheEntry(
            data: Data(repeating: 7, count: byteCount), expiration: bench.time.wallTime() + 10,
            attributes: ["etag": "\"1\""], extendedData: Data([1, 2]), tags: ["album"])
        let cache = bench.cache()
        try cache.store(full, for: key)
        cache.waitForTrimming()
        #expect(cache.immediateEntry(for: key) == .unknown, "the directory is opened by the first regular read")
        #expect(cache.statistics.reading.count == 0)
        #expect(try cache.entry(for: key) == full)
        #expect(cache.immediateEntry(for: key) == .entry(full))
        #expect(cache.immediateEntry(for: key) == .entry(full))
        let statistics = cache.statistics
        #expect(statistics.hits == 3)
        #expect(statistics.misses == 0)
        #expect(statistics.bytesRead == 3 * byteCount)
        #expect(statistics.reading.count == 3)
    }

    @Test func `an entry that was recently not found is absent, and counts as a miss`() throws {
        let cache = try hotCache()
        let missing = [VariantKey(source: key.source, variant: "w=1"), DiskBench.key(3)]
        for key in missing {
            #expect(try cache.entry(for: key) == nil)
            #expect(cache.immediateEntry(for: key) == .absent)
        }
        #expect(cache.statistics.misses == 4)
        #expect(cache.statistics.hits == 2)
    }

    @Test func `changes by other processes are seen at once`() throws {
        let cache = try hotCache()
        let writer = bench.cache()
        try writer.store(DiskBench.entry(7), for: key)
        #expect(cache.immediateEntry(for: key) == .entry(DiskBench.entry(7)))
        let new = DiskBench.key(3)
        #expect(try cache.entry(for: new) == nil)
        #expect(cache.immediateEntry(for: new) == .absent)
        try writer.store(DiskBench.entry(3), for: new)
        #expect(cache.immediateEntry(for: new) == .entry(DiskBench.entry(3)))
        try writer.remove(new)
        #expect(cache.immediateEntry(for: new) != .entry(DiskBench.entry(3)))
        #expect(try cache.entry(for: new) == nil)
        writer.waitForTrimming()
    }

    @Test func `changes by the cache itself are seen at once`() throws {
        let cache = try hotCache()
        try cache.store(DiskBench.entry(7), for: key)
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == DiskBench.entry(7))
        #expect(cache.immediateEntry(for: key) == .entry(DiskBench.entry(7)))
        try cache.remove(key)
        // The removal has reopened the directory.
        #expect(cache.immediateEntry(for: key) == .absent)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `the largest entry that is returned has 64 KiB`() throws {
        let cache = try hotCache()
        let rest = try DiskBench.unit(byteCount: 0)
        for (byteCount, isAnswered) in [(65_536, true), (65_537, false)] {
            let entry = DiskBench.entry(1, byteCount: byteCount - rest)
            try cache.store(entry, for: key)
            #expect(try cache.entry(for: key) == entry)
            #expect(try LocalFileSystem().attributes(of: cache.path(for: key)).byteCount == byteCount)
            #expect(cache.immediateEntry(for: key) == (isAnswered ? .entry(entry) : .unknown))
        }
    }

    @Test func `an entry returned while other processes store is whole`() throws {
        let cache = try hotCache()
        let wrong = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let writer = bench.cache()
            for round in 0..<200 {
                do {
                    if thread == 0 {
                        try writer.store(DiskBench.entry(round, byteCount: 20_000 + round % 256), for: key)
                    } else if case .entry(let entry) = cache.immediateEntry(for: key), entry != self.entry {
                        let number = Int(entry.data.first ?? 0)
                        if entry != DiskBench.entry(number, byteCount: 20_000 + number) {
                            wrong.withLock { $0.append("\(entry.data.count) bytes") }
                        }
                    }
                } catch {
                    wrong.withLock { $0.append("\(error)") }
                }
            }
            writer.waitForTrimming()
        }
        #expect(wrong.withLock { $0 } == [])
        #expect(cache.immediateEntry(for: key) == .entry(DiskBench.entry(199, byteCount: 20_199)))
    }

    // MARK: Unknown results

    @Test func `an expired entry is left for the next read to remove`() throws {
        let cache = try hotCache(.init(maxAge: .seconds(10_000)))
        let dated = CacheEntry(data: Data("x".utf8), expiration: bench.time.wallTime() + 10)
        let short = DiskBench.key(3)
        try cache.store(dated, for: short)
        try look(cache, after: .seconds(9))
        #expect(cache.immediateEntry(for: short) == .entry(dated))
        try look(cache, after: .seconds(1))
        #expect(cache.immediateEntry(for: short) == .unknown)
        #expect(bench.exists(cache.path(for: short)))
        #expect(try cache.entry(for: short) == nil)
        #expect(cache.statistics.expirations == 1)

        // The first entry has not been used since, and the other is used by checking the directory.
        try look(cache, after: .seconds(9000))
        try look(cache, after: .seconds(1500))
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(bench.exists(cache.path(for: key)))
        #expect(try cache.entry(for: key) == nil)
        #expect(cache.statistics.expirations == 2)
    }

    @Test func `a use that is due to be recorded is left for the next read`() throws {
        let cache = try hotCache()
        let path = cache.path(for: key)
        let stored = try LocalFileSystem().attributes(of: path).modificationTime
        try look(cache, after: .seconds(59))
        #expect(cache.immediateEntry(for: key) == .entry(entry))
        try look(cache, after: .seconds(1))
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try LocalFileSystem().attributes(of: path).modificationTime == stored)
        #expect(try cache.entry(for: key) == entry)
        #expect(try LocalFileSystem().attributes(of: path).modificationTime == stored + 60)
        #expect(cache.immediateEntry(for: key) == .entry(entry))
    }

    @Test func `a damaged entry is left for the next read to remove and report`() throws {
        let cache = try hotCache()
        let path = cache.path(for: key)
        let whole = try Data(contentsOf: URL(filePath: path))
        for damaged in [whole.dropLast(), Data(whole.dropFirst()), whole + Data([0]), Data()] as [Data] {
            try bench.directory.write(damaged, to: path, modificationTime: bench.time.wallTime())
            try look(cache)
            let repairs = cache.statistics.repairs
            #expect(cache.immediateEntry(for: key) == .unknown)
            #expect(bench.exists(path))
            #expect(bench.issues.count == repairs)
            #expect(try cache.entry(for: key) == nil)
            #expect(!bench.exists(path))
            #expect(cache.statistics.repairs == repairs + 1)
        }
    }

    @Test func `the entry of another key is not returned`() throws {
        let cache = try hotCache()
        let file = try Data(contentsOf: URL(filePath: cache.path(for: other)))
        try bench.directory.write(file, to: cache.path(for: key), modificationTime: bench.time.wallTime())
        try look(cache)
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `an obstacle in the place of an entry blocks no request and is not returned`() throws {
        let cache = try hotCache()
        let (path, target) = (cache.path(for: key), cache.path(for: other))
        let makers: [() -> Int32] = [
            { symlink(target, path) }, { mkfifo(path, 0o600) }, { mkdir(path, 0o700) },
        ]
        for make in makers {
            try LocalFileSystem().removeFile(path)
            try #require(make() == 0)
            try look(cache)
            #expect(cache.immediateEntry(for: key) == .unknown)
            #expect(bench.exists(path))
            #expect(try cache.entry(for: key) == nil)
            guard !bench.exists(path) else { break }
            try cache.store(entry, for: key)
            #expect(try cache.entry(for: key) == entry)
        }
    }

    @Test func `a cache with a transform never answers immediately`() throws {
        let cache = bench.cache(transform: PlainTransform())
        try cache.store(entry, for: key)
        for _ in 0..<2 {
            #expect(try cache.entry(for: key) == entry)
            #expect(cache.immediateEntry(for: key) == .unknown)
        }
    }

    @Test func `an entry written with a transform is left to a read`() throws {
        let cache = try hotCache()
        let writer = bench.cache(transform: PlainTransform())
        try writer.store(entry, for: key)
        writer.waitForTrimming()
        try look(cache)
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `entries of read-only directories are left to a read`() throws {
        let root = bench.directory.root
        let cache = try hotCache(readOnlyDirectories: [.files { _ in "\(root)/bundled" }])
        let missing = DiskBench.key(3)
        #expect(try cache.entry(for: missing) == nil)
        #expect(cache.immediateEntry(for: missing) == .unknown)
        try bench.directory.write(Data("bundled".utf8), to: "\(root)/bundled")
        #expect(cache.immediateEntry(for: missing) == .unknown)
        #expect(try cache.entry(for: missing)?.data == Data("bundled".utf8))
    }

    @Test func `an entry larger than the limit of the cache is left to a read`() throws {
        _ = try hotCache()
        let small = bench.cache(.init(byteLimit: 500))
        #expect(try small.entry(for: key) == nil)
        #expect(small.immediateEntry(for: key) == .unknown)
    }

    @Test func `a custom file system never answers immediately`() throws {
        let cache = bench.cache(files: FaultyFileSystem { _, _ in nil })
        try cache.store(entry, for: key)
        for _ in 0..<2 {
            #expect(try cache.entry(for: key) == entry)
            #expect(cache.immediateEntry(for: key) == .unknown)
        }
    }

    // MARK: The directory

    @Test func `the path of the directory is checked once a second`() throws {
        let cache = try hotCache()
        bench.time.advance(by: .milliseconds(999))
        #expect(cache.immediateEntry(for: key) == .entry(entry))
        bench.time.advance(by: .milliseconds(1))
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == entry)
        #expect(cache.immediateEntry(for: key) == .entry(entry))
    }

    @Test func `no entry of a deleted directory is reported as absent`() throws {
        let cache = try hotCache()
        try FileManager.default.removeItem(atPath: bench.directory.root)
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == nil)
        let writer = bench.cache()
        try writer.store(entry, for: key)
        writer.waitForTrimming()
        #expect(cache.immediateEntry(for: key) == .unknown)
        for _ in 0..<2 { #expect(try cache.entry(for: key) == entry) }
        #expect(cache.immediateEntry(for: key) == .entry(entry))
    }

    @Test func `a replaced directory is noticed at once for a missing entry, otherwise within a second`()
        throws
    {
        let cache = try hotCache()
        let elsewhere = TemporaryDirectory()
        #expect(try cache.entry(for: DiskBench.key(3)) == nil)
        #expect(cache.immediateEntry(for: DiskBench.key(3)) == .absent)
        try FileManager.default.moveItem(atPath: bench.directory.root, toPath: elsewhere.root)
        let writer = bench.cache()
        try writer.store(DiskBench.entry(7), for: key)
        try writer.store(DiskBench.entry(3), for: DiskBench.key(3))
        writer.waitForTrimming()
        #expect(cache.immediateEntry(for: key) == .entry(entry))
        #expect(cache.immediateEntry(for: DiskBench.key(3)) == .unknown)
        bench.time.advance(by: .seconds(1))
        #expect(cache.immediateEntry(for: key) == .unknown)
        #expect(try cache.entry(for: key) == DiskBench.entry(7))
        #expect(cache.immediateEntry(for: key) == .entry(DiskBench.entry(7)))
    }

    // MARK: Other layers

    @Test func `an immediate read of a file gives the result of a regular read once its directory is open`() throws {
        let (files, directory) = (LocalFileSystem(), bench.directory)
        try files.createDirectories(directory.root)
        try directory.write(Data("abc".utf8), to: directory.path("file"))
        try directory.write(Data(), to: directory.path("empty"))
        let kept = KeptDirectory(directory.root)
        #expect(files.immediateContents(of: "file", in: kept, byteLimit: .max) == .unknown)
        let read = try files.contents(of: "file", in: kept, byteLimit: .max)
        #expect(files.immediateContents(of: "file", in: kept, byteLimit: 3) == .file(read.data, read.attributes))
        #expect(files.immediateContents(of: "file", in: kept, byteLimit: 2) == .unknown)
        let attributes = try files.attributes(of: directory.path("empty"))
        #expect(files.immediateContents(of: "empty", in: kept, byteLimit: 0) == .file(Data(), attributes))
        #expect(files.immediateContents(of: ".", in: kept, byteLimit: .max) == .unknown)
        #expect(throws: FileSystemError.self) { try files.contents(of: "none", in: kept, byteLimit: .max) }
        #expect(files.immediateContents(of: "none", in: kept, byteLimit: .max) == .absent)
    }

    @Test func `tiers pass on the answer of their data cache, and without one nothing is found`() throws {
        let tiers = TieredCache(memory: nil, disk: try hotCache())
        #expect(try tiers.immediateEntry(for: key) == .entry(entry))
        #expect(try tiers.immediateEntry(for: DiskBench.key(3)) != .entry(entry))
        #expect(try TieredCache(disk: nil).immediateEntry(for: key) == .absent)
    }

    @Test func `a group passes on the answer of a cache that is asked alone, and counts it`() throws {
        let tiers = TieredCache(memory: nil, disk: try hotCache())
        let group = CacheGroup([tiers])
        #expect(try group.immediateEntry(for: key) == .entry(entry))
        #expect(try group.entry(for: DiskBench.key(3)) == nil)
        #expect(try group.immediateEntry(for: DiskBench.key(3)) == .absent)
        #expect(group.statistics.disk?.hits == 1)
        #expect(group.statistics.disk?.misses == 2)

        group.caches = [tiers, TieredCache(memory: nil, disk: InMemoryDataCache())]
        #expect(try group.immediateEntry(for: key) == .unknown)
        group.policies.query = .highestOnly
        #expect(try group.immediateEntry(for: key) == .entry(entry))
        group.caches = [TieredCache(disk: nil)]
        #expect(try group.immediateEntry(for: key) == .absent)
    }
}
