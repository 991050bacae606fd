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
struct DiskCacheReadOnlyDirectoryTests {
    private let bench = DiskBench()
    private let bundle = TemporaryDirectory()

    /// Returns a cache with a read-only directory of plain files, which are named after their source.
    private func cache(beside others: [ReadOnlyDirectory] = [], files: any FileSystem = LocalFileSystem()) -> DiskCache
    {
        let root = bundle.root
        let plain = ReadOnlyDirectory.files { key in key.isOriginal ? "\(root)/\(key.source.text).raw" : nil }
        return bench.cache(readOnlyDirectories: others + [plain], files: files)
    }

    private func addFile(_ number: Int, _ text: String) throws {
        try LocalFileSystem().createDirectories(bundle.root)
        try bundle.write(Data(text.utf8), to: bundle.path("\(DiskBench.key(number).source.text).raw"))
    }

    @Test func `an entry missing from the cache is looked up in the application's files`() throws {
        let cache = cache()
        #expect(try cache.entry(for: DiskBench.key(1)) == nil)
        try addFile(1, "bundled")
        #expect(try cache.contains(DiskBench.key(1)))
        #expect(try cache.entry(for: DiskBench.key(1)) == CacheEntry(data: Data("bundled".utf8)))
        #expect(try cache.entry(for: VariantKey(source: DiskBench.key(1).source, variant: "w=1")) == nil)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))
        #expect(cache.statistics.hits == 2)
        #expect(cache.statistics.misses == 2)
    }

    @Test func `a read-only directory is never changed`() throws {
        try addFile(1, "bundled")
        let other = TemporaryDirectory()
        try bench.fill(bench.cache(in: other), 2..<4)
        try Data("damaged".utf8).write(to: URL(filePath: bench.cache(in: other).path(for: DiskBench.key(3))))
        let before = try bundle.contents() + other.contents().sorted()
        let (bundleRoot, otherRoot) = (bundle.root, other.root)
        let changes = Lock<[String]>([])
        let files = FaultyFileSystem { operation, path in
            let reads: Set<FaultyFileSystem.Operation> = [.contents, .tail, .attributes, .ownership, .items]
            if !reads.contains(operation), path.hasPrefix(bundleRoot) || path.hasPrefix(otherRoot) {
                changes.withLock { $0.append("\(operation) \(path)") }
            }
            return nil
        }
        let cache = cache(beside: [.cache(at: other.url)], files: files)
        bench.time.advance(by: .seconds(30 * 86_400))
        #expect(try cache.entry(for: DiskBench.key(1))?.data == Data("bundled".utf8))
        #expect(try cache.entry(for: DiskBench.key(2)) == DiskBench.entry(2))
        #expect(try cache.entry(for: DiskBench.key(3)) == nil)
        #expect(bench.issues.map(\.subject) == [bench.cache(in: other).path(for: DiskBench.key(3))])
        for number in 1..<4 { try cache.remove(DiskBench.key(number)) }
        try cache.clear()
        try cache.trim(toByteCount: 0)
        _ = try cache.verify()
        #expect(try cache.totalCount() == 0)
        #expect(try cache.entry(for: DiskBench.key(2)) == DiskBench.entry(2))
        #expect(changes.withLock { $0 } == [])
        #expect(try bundle.contents() + other.contents().sorted() == before)
    }

    @Test func `the first directory that has the entry answers`() throws {
        try addFile(2, "plain")
        let other = TemporaryDirectory()
        try bench.fill(bench.cache(in: other), 2..<3)
        #expect(try cache(beside: [.cache(at: other.url)]).entry(for: DiskBench.key(2)) == DiskBench.entry(2))
        #expect(try cache().entry(for: DiskBench.key(2))?.data == Data("plain".utf8))
    }

    @Test func `an entry expires in a read-only directory too`() throws {
        let other = TemporaryDirectory()
        let dated = CacheEntry(data: Data("x".utf8), expiration: bench.time.wallTime() + 10)
        try bench.cache(in: other).store(dated, for: DiskBench.key(1))
        let cache = bench.cache(readOnlyDirectories: [.cache(at: other.url)])
        #expect(try cache.entry(for: DiskBench.key(1)) == dated)
        #expect(try cache.contains(DiskBench.key(1)))
        bench.time.advance(by: .seconds(11))
        #expect(try !cache.contains(DiskBench.key(1)))
        #expect(try cache.entry(for: DiskBench.key(1)) == nil)
    }

    @Test(arguments: ["relative/file", "", "/", "/nowhere/at/all", "/dev/null/x", "/tmp", "/etc/passwd\0.png"])
    func `a path that leads nowhere is a miss`(path: String) throws {
        let cache = bench.cache(readOnlyDirectories: [.files { _ in path }])
        #expect(try cache.entry(for: DiskBench.key(1)) == nil)
        #expect(try !cache.contains(DiskBench.key(1)))
    }

    @Test func `a replaced read-only directory is noticed within a second`() throws {
        let (other, elsewhere) = (TemporaryDirectory(), TemporaryDirectory())
        try bench.fill(bench.cache(in: other), 1..<2)
        let cache = bench.cache(readOnlyDirectories: [.cache(at: other.url)])
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))
        try FileManager.default.moveItem(atPath: other.root, toPath: elsewhere.root)
        let writer = bench.cache(in: other)
        try writer.store(DiskBench.entry(2), for: DiskBench.key(1))
        writer.waitForTrimming()
        bench.time.advance(by: .seconds(1))
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(2))
    }

    @Test func `a directory that cannot be read does not hide the next one`() throws {
        let (bundleRoot, other) = (bundle.root, TemporaryDirectory())
        let files = FaultyFileSystem { operation, path in
            let isReading = operation == .contents || operation == .attributes
            return isReading && !path.hasPrefix(bundleRoot) ? EACCES : nil
        }
        let cache = cache(beside: [.cache(at: other.url)], files: files)
        try addFile(1, "bundled")
        #expect(try cache.entry(for: DiskBench.key(1))?.data == Data("bundled".utf8))
        #expect(bench.issues.map(\.subject) == [bench.directory.path("v2/secret")])
        #expect(try cache.contains(DiskBench.key(1)))
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.failures == 0)

        let error = try #require(throws: ImageError.self) { try cache.entry(for: DiskBench.key(2)) }
        #expect((error.cause as? FileSystemError)?.code == EACCES)
        #expect(error.subject == bench.directory.path("v2/secret"))
        #expect(throws: ImageError.self) { try cache.contains(DiskBench.key(2)) }
        #expect(cache.statistics.failures == 1)
    }

    @Test func `a file that cannot be read is an error`() throws {
        let cache = bench.cache(
            readOnlyDirectories: [.files { _ in "/somewhere/x" }],
            files: FaultyFileSystem { operation, path in
                path.hasPrefix("/somewhere") && (operation == .contents || operation == .attributes) ? EACCES : nil
            })
        #expect(throws: ImageError.self) { try cache.entry(for: DiskBench.key(1)) }
        #expect(throws: ImageError.self) { try cache.contains(DiskBench.key(1)) }
    }
}
