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
struct DiskCacheTagTests {
    private let bench = DiskBench()

    /// The files that say which entry carries a tag.
    private func markers() throws -> [String] {
        try bench.folder.contents().filter { $0.contains("/tags/") && $0.split(separator: "/").last?.count == 64 }
    }

    @Test func `a tag takes those that carry it, whoever asks`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<10, tags: ["album", "user"])
        try bench.fill(cache, 10..<15, tags: ["user"])
        try bench.fill(cache, 15..<20)
        try bench.cache().removeAll(tagged: "album")
        #expect(try bench.kept(cache, 0..<20) == Array(10..<20))
        try cache.removeAll(tagged: "user")
        #expect(try bench.kept(cache, 0..<20) == Array(15..<20))
        #expect(try cache.totalCount() == 5)
    }

    @Test func `an entry that was stored again without a tag stays`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<2, tags: ["album"])
        try bench.fill(cache, 0..<1)
        try cache.removeAll(tagged: "album")
        #expect(try bench.kept(cache, 0..<2) == [0])
    }

    @Test func `a purge looks at those that carry the tag, and at no other entry`() throws {
        let looks = Lock<[String]>([])
        let files = FaultyFileSystem { operation, path in
            if operation != .items { looks.withLock { $0.append(path) } }
            return nil
        }
        try bench.fill(bench.cache(), 0..<100)
        try bench.fill(bench.cache(), 100..<103, tags: ["album"])
        let cache = bench.cache(files: files)
        try cache.removeAll(tagged: "album")
        #expect(try bench.kept(bench.cache(), 0..<103) == Array(0..<100))
        let others = Set((0..<100).map { cache.path(for: DiskBench.key($0)) })
        #expect(looks.withLock { $0.filter { others.contains($0) } } == [])
        #expect(looks.withLock { $0.count } < 50)
    }

    @Test func `tags longer than a page are found`() throws {
        let cache = bench.cache()
        let key = DiskBench.key(0)
        let entry = CacheEntry(
            data: Data("x".utf8), extendedData: Data(repeating: 1, count: 20_000),
            tags: Set((0..<50).map { String(repeating: "tag ", count: 100) + "\($0)" }))
        try cache.store(entry, for: key)
        #expect(try cache.entry(for: key) == entry)
        try cache.removeAll(tagged: String(repeating: "tag ", count: 100) + "49")
        #expect(try cache.entry(for: key) == nil)
    }

    @Test func `what says who carries a tag goes with the entries`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<6, tags: ["album", "user"])
        #expect(try markers().count == 12)
        try cache.remove(DiskBench.key(0))
        try cache.removeAll(of: DiskBench.key(1).source)
        try cache.trim(toByteCount: 3 * DiskBench.unit() * 2)
        #expect(try markers().count == 2 * cache.totalCount())
        try cache.removeAll(tagged: "album")
        #expect(try cache.totalCount() == 0)
        try cache.trim(toByteCount: .max)
        #expect(try markers() == [])

        try bench.fill(cache, 0..<3, tags: ["album"])
        try cache.clear()
        #expect(try bench.folder.contents().filter { $0.contains("tags") } == [])
    }

    @Test func `a purge between a marker and its entry does not lose the entry for the next`() throws {
        // The purge comes just before the file of the entry appears.
        let bench = self.bench
        let path = bench.cache().path(for: DiskBench.key(0))
        let purges = Lock(1)
        let files = FaultyFileSystem { operation, other in
            guard operation == .writeFile, other == path, purges.withLock({ $0 }) > 0 else { return nil }
            purges.withLock { $0 -= 1 }
            return (try? bench.cache().removeAll(tagged: "album")) == nil ? EIO : nil
        }
        let cache = bench.cache(files: files)
        try cache.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        #expect(purges.withLock { $0 } == 0)
        #expect(try cache.contains(DiskBench.key(0)))
        try cache.removeAll(tagged: "album")
        #expect(try !cache.contains(DiskBench.key(0)))
    }

    @Test func `an entry that is stored while all are cleared is found by its tag`() throws {
        // The store comes when the entries have gone, and what says who carries a tag has not.
        let bench = self.bench
        let writer = bench.cache()
        try writer.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        let marker = try #require(writer.markers(for: ["album"], of: DiskBench.key(0).diskName).first)
        let files = FaultyFileSystem { operation, path in
            guard operation == .removeFile, path == marker.path else { return nil }
            let entry = DiskBench.entry(0, tags: ["album"])
            return (try? writer.store(entry, for: DiskBench.key(0))) == nil ? EIO : nil
        }
        let cache = bench.cache(files: files)
        try cache.clear()
        #expect(try cache.contains(DiskBench.key(0)))
        #expect(bench.exists(marker.path))
        try writer.removeAll(tagged: "album")
        #expect(try !writer.contains(DiskBench.key(0)))
    }

    @Test func `an entry that cannot be removed does not keep the others of its tag`() throws {
        try bench.fill(bench.cache(), 0..<20, tags: ["album"])
        let path = bench.cache().path(for: DiskBench.key(7))
        let files = FaultyFileSystem { operation, other in operation == .removeFile && other == path ? EIO : nil }
        let cache = bench.cache(files: files)
        #expect(throws: ImageError.self) { try cache.removeAll(tagged: "album") }
        #expect(try bench.kept(cache, 0..<20) == [7])
        #expect(throws: ImageError.self) { try cache.clear() }
        try bench.cache().removeAll(tagged: "album")
        #expect(try cache.totalCount() == 0)
    }

    @Test func `a cache that keeps no tags says so rather than do nothing`() throws {
        final class PlainCache: DataCache {
            func entry(for key: VariantKey) throws -> CacheEntry? { nil }
            func contains(_ key: VariantKey) throws -> Bool { false }
            func store(_ entry: CacheEntry, for key: VariantKey) throws {}
            func remove(_ key: VariantKey) throws {}
            func removeAll(of source: SourceKey) throws {}
            func clear() throws {}
        }
        let error = try #require(throws: ImageError.self) { try PlainCache().removeAll(tagged: "album") }
        #expect(error.code == .cacheFailed)
        #expect(error.message == "the cache cannot purge by tag: nothing was removed")
        #expect(throws: ImageError.self) { try PlainCache().removeAll(olderThan: .zero) }
    }
}
