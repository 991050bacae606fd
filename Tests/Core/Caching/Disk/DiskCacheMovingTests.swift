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
struct DiskCacheMovingTests {
    private let bench = DiskBench()
    private let destination = TemporaryDirectory()

    /// Returns a file system in which the directory and the destination are on one disk or on two.
    private func files(
        onOtherDisk isOtherDisk: Bool,
        before: @escaping @Sendable (FaultyFileSystem.Operation, String) -> Void = { _, _ in }
    ) -> FaultyFileSystem {
        let root = bench.directory.root
        return FaultyFileSystem { operation, path in
            // Temporary copies are already on the other disk.
            let staysThere = path.contains("/.calotype-")
            if isOtherDisk, operation == .move || operation == .linkFile, path.hasPrefix(root), !staysThere {
                return EXDEV
            }
            before(operation, path)
            return nil
        }
    }

    @Test func `a directory is renamed if the destination does not exist`() throws {
        let calls = Lock<[FaultyFileSystem.Operation]>([])
        let cache = bench.cache(
            files: FaultyFileSystem { operation, _ in
                calls.withLock { $0.append(operation) }
                return nil
            })
        try bench.stock(cache, 0..<50)
        calls.withLock { $0 = [] }
        try cache.move(to: destination.url)
        #expect(calls.withLock { $0.filter { $0 == .move || $0 == .contents }.count } <= 2)
        #expect(!bench.directory.exists)
        #expect(try cache.totalCount() == 0)
        #expect(try bench.kept(bench.cache(in: destination), 0..<100) == Array(0..<50))

        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(try cache.totalCount() == 1)
    }

    @Test(arguments: [false, true])
    func `entries are merged into another directory, also from another disk`(isOtherDisk: Bool) throws {
        let other = bench.cache(in: destination)
        try other.store(DiskBench.entry(99), for: DiskBench.key(7))
        try bench.fill(other, 200..<205)
        let cache = bench.cache(files: files(onOtherDisk: isOtherDisk))
        try bench.stock(cache, 0..<50, tags: ["album"])
        let dated = CacheEntry(data: Data("x".utf8), expiration: bench.time.wallTime() + 50, tags: ["album"])
        try cache.store(dated, for: DiskBench.key(50))
        let stamp = try LocalFileSystem().attributes(of: cache.path(for: DiskBench.key(3))).modificationTime

        var parts: [Double] = []
        try cache.move(to: destination.url) { parts.append($0) }
        #expect(parts == parts.sorted())
        #expect(parts.last == 1)
        #expect(!bench.directory.exists)
        #expect(try bench.kept(other, 0..<101) == Array(0...50))
        #expect(try bench.kept(other, 200..<205) == Array(200..<205))
        #expect(try other.entry(for: DiskBench.key(7)) == DiskBench.entry(99))
        #expect(try other.entry(for: DiskBench.key(8)) == DiskBench.entry(8, tags: ["album"]))
        let moved = try LocalFileSystem().attributes(of: other.path(for: DiskBench.key(3))).modificationTime
        #expect(abs(moved - stamp) < 0.001)
        #expect(try other.verify().findings == [])
        bench.time.advance(by: .seconds(51))
        #expect(try !other.contains(DiskBench.key(50)))
        try other.removeAll(tagged: "album")
        #expect(try bench.kept(other, 0..<101) == [7])
    }

    @Test(arguments: [false, true])
    func `an entry stored in the destination during the move is newer and stays`(isOtherDisk: Bool) throws {
        // Another cache stores the entry just before it is moved into place.
        let other = bench.cache(in: destination)
        try other.store(DiskBench.entry(2), for: DiskBench.key(2))
        other.waitForTrimming()
        let files = files(onOtherDisk: isOtherDisk) { operation, _ in
            guard operation == .linkFile else { return }
            #expect(throws: Never.self) { try other.store(DiskBench.entry(99), for: DiskBench.key(1)) }
        }
        let cache = bench.cache(files: files)
        try bench.fill(cache, 1..<2)
        try cache.move(to: destination.url)
        #expect(try other.entry(for: DiskBench.key(1)) == DiskBench.entry(99))
        #expect(!bench.directory.exists)
        #expect(try destination.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test(arguments: [EPERM, ENOTSUP])
    func `entries are moved on a file system without hard links`(code: Int32) throws {
        try bench.fill(bench.cache(in: destination), 50..<51)
        let cache = bench.cache(files: FaultyFileSystem { operation, _ in operation == .linkFile ? code : nil })
        try bench.fill(cache, 0..<3)
        try cache.move(to: destination.url)
        #expect(!bench.directory.exists)
        #expect(try bench.kept(bench.cache(in: destination), 0..<51) == [0, 1, 2, 50])
    }

    @Test func `nothing is moved if the destination may be the same directory`() throws {
        let path = destination.path("v2")
        let files = FaultyFileSystem { operation, other in operation == .identity && other == path ? EACCES : nil }
        let cache = bench.cache(files: files)
        try bench.fill(cache, 0..<3)
        let error = try #require(throws: ImageError.self) { try cache.move(to: destination.url) }
        #expect(error.subject == path)
        #expect(try bench.kept(cache, 0..<3) == [0, 1, 2])
    }

    @Test func `foreign files stay where they are, and so does the directory`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        try bench.fill(bench.cache(in: destination), 5..<6)
        try bench.directory.write(Data("mine".utf8), to: bench.directory.path("notes.txt"))
        try cache.move(to: destination.url)
        #expect(try bench.directory.contents() == ["notes.txt"])
        #expect(try bench.cache(in: destination).totalCount() == 4)
    }

    @Test func `moving an empty cache or moving to the same path does nothing`() throws {
        let cache = bench.cache()
        try cache.move(to: destination.url)
        #expect(!bench.directory.exists)
        #expect(!destination.exists)
        try bench.fill(cache, 0..<3)
        try cache.move(to: bench.directory.url)
        #expect(try cache.totalCount() == 3)
    }

    @Test(arguments: [false, true])
    func `moving to the same directory by another path does nothing`(isOtherMount: Bool) throws {
        // The error of a rename between two mounts of one directory.
        let files = FaultyFileSystem { operation, _ in operation == .move && isOtherMount ? EXDEV : nil }
        let cache = bench.cache(files: files)
        try bench.stock(cache, 0..<20, tags: ["album"])
        let before = try bench.directory.contents().sorted()
        try #require(symlink(bench.directory.root, destination.root) == 0)
        for path in ["\(destination.root)/", "\(bench.directory.root)/v2/..", "\(bench.directory.root)/./"] {
            try cache.move(to: URL(filePath: path, directoryHint: .isDirectory))
            #expect(try bench.directory.contents().sorted() == before)
        }
        #expect(try bench.kept(bench.cache(), 0..<20) == Array(0..<20))
        #expect(try bench.cache().verify().findings == [])
    }

    @Test func `a link in the place of a destination shard is removed, and the entries behind it are moved`() throws {
        let cache = bench.cache()
        try bench.stock(cache, 0..<30, tags: ["album"])
        // A shard of the other directory is a link to that of this one.
        let shard = DiskEntryName.shardName(DiskBench.name(3).shard)
        try LocalFileSystem().createDirectories(destination.path("v2"))
        try #require(symlink(bench.directory.path("v2/\(shard)"), destination.path("v2/\(shard)")) == 0)
        try cache.move(to: destination.url)
        let other = bench.cache(in: destination)
        #expect(try bench.kept(other, 0..<30) == Array(0..<30))
        #expect(try cache.totalCount() == 0)
        #expect(bench.issues.map(\.subject) == [destination.path("v2/\(shard)")])
        #expect(try other.verify().findings == [])
        try other.removeAll(tagged: "album")
        #expect(try other.totalCount() == 0)
    }

    @Test(arguments: [false, true])
    func `nothing is written through a link in a destination with another secret`(isTag: Bool) throws {
        let cache = bench.cache()
        try bench.fill(cache, 3..<4, tags: ["album"])
        let other = DiskCache(at: destination.url, time: bench.time)
        try other.store(DiskBench.entry(1), for: DiskBench.key(1))
        other.waitForTrimming()
        // The directory of a source there, or that of the tags beside it, is a link to elsewhere.
        let source = DiskCache.parent(of: other.path(for: DiskBench.key(3)))
        let shard = DiskCache.parent(of: source)
        let link = isTag ? "\(shard)/tags" : source
        let elsewhere = TemporaryDirectory()
        try LocalFileSystem().createDirectories(elsewhere.root)
        try LocalFileSystem().createDirectories(shard)
        try #require(symlink(elsewhere.root, link) == 0)
        try cache.move(to: destination.url)
        #expect(try elsewhere.contents() == [])
        #expect(bench.issues.map(\.subject) == [link])
        #expect(try other.entry(for: DiskBench.key(3)) == DiskBench.entry(3, tags: ["album"]))
        #expect(try other.verify().findings == [])
        try other.removeAll(tagged: "album")
        #expect(try bench.kept(other, 0..<4) == [1])
    }

    @Test func `directory names that differ only in Unicode composition are different`() throws {
        let (composed, decomposed) = (destination.path("\u{e9}"), destination.path("e\u{301}"))
        try LocalFileSystem().createDirectories(composed)
        // Some file systems treat them as equal.
        guard !bench.exists(decomposed) else { return }
        let cache = DiskCache(at: URL(filePath: composed, directoryHint: .isDirectory), time: bench.time)
        try bench.stock(cache, 0..<3)
        let target = URL(filePath: decomposed, directoryHint: .isDirectory)
        try cache.move(to: target)
        #expect(try cache.totalCount() == 0)
        #expect(try bench.kept(DiskCache(at: target, time: bench.time), 0..<3) == [0, 1, 2])
    }

    @Test(arguments: ["v2", "v2/below/that", "link"])
    func `a directory is not moved into its own entries`(name: String) throws {
        let cache = bench.cache()
        try bench.stock(cache, 0..<3)
        try #require(symlink(bench.directory.path("v2"), bench.directory.path("link")) == 0)
        let before = try bench.directory.contents().sorted()
        let error = try #require(throws: ImageError.self) {
            try cache.move(to: URL(filePath: bench.directory.path(name), directoryHint: .isDirectory))
        }
        #expect(error.code == .cacheFailed)
        #expect(error.message.contains("nothing was moved"))
        #expect(try bench.directory.contents().sorted() == before)
        #expect(try bench.kept(cache, 0..<3) == [0, 1, 2])
    }

    @Test func `a directory can move into a subdirectory of itself`() throws {
        let cache = bench.cache()
        try bench.stock(cache, 0..<3)
        let target = URL(filePath: bench.directory.path("old"), directoryHint: .isDirectory)
        try cache.move(to: target)
        #expect(try cache.totalCount() == 0)
        #expect(try bench.kept(DiskCache(at: target, time: bench.time), 0..<3) == [0, 1, 2])
    }

    @Test func `entries behind a link in their place are moved, and the link is not`() throws {
        let cache = bench.cache()
        try bench.stock(cache, 0..<3, tags: ["album"])
        try LocalFileSystem().move(bench.directory.path("v2"), to: bench.directory.path("elsewhere"))
        // Relative to another directory, the link is dangling.
        try #require(symlink("elsewhere", bench.directory.path("v2")) == 0)
        #expect(try bench.kept(cache, 0..<3) == [0, 1, 2])
        try cache.move(to: destination.url)
        #expect(try bench.kept(bench.cache(in: destination), 0..<3) == [0, 1, 2])
        #expect(try cache.totalCount() == 0)
    }

    @Test func `a source directory that cannot be removed is no failure, since its entries have moved`() throws {
        let root = bench.directory.root
        let files = FaultyFileSystem { operation, path in operation == .removeDirectory && path == root ? EACCES : nil }
        try bench.stock(bench.cache(), 0..<3)
        try bench.cache(files: files).move(to: destination.url)
        #expect(try bench.kept(bench.cache(in: destination), 0..<3) == [0, 1, 2])
    }

    @Test func `an entry that cannot be moved is an error, and moves the next time`() throws {
        try bench.fill(bench.cache(in: destination), 50..<51)
        let path = bench.cache().path(for: DiskBench.key(1))
        let isStuck = Lock(true)
        let cache = bench.cache(
            files: FaultyFileSystem { operation, other in
                operation == .linkFile && other == path && isStuck.withLock { $0 } ? EIO : nil
            })
        try bench.fill(cache, 0..<3, tags: ["album"])
        let error = try #require(throws: ImageError.self) { try cache.move(to: destination.url) }
        #expect(error.subject == path)
        #expect(try bench.kept(cache, 0..<3) == [1])
        isStuck.withLock { $0 = false }
        try cache.store(DiskBench.entry(9, tags: ["album"]), for: DiskBench.key(9))
        let twin = bench.cache()
        try twin.store(DiskBench.entry(8, tags: ["user"]), for: DiskBench.key(8))
        // The remaining entry is still found by its tag.
        try twin.removeAll(tagged: "user")
        #expect(try bench.kept(twin, 0..<10) == [1, 9])
        // Otherwise its ledger could be written after the directory is gone.
        twin.waitForTrimming()
        try cache.move(to: destination.url)
        #expect(!bench.directory.exists)
        let moved = bench.cache(in: destination)
        #expect(try bench.kept(moved, 0..<10) == [0, 1, 2, 9])
        try moved.removeAll(tagged: "album")
        #expect(try bench.kept(moved, 0..<51) == [50])
    }
}
