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

    /// Returns the files that mark entries with a tag.
    private func markers() throws -> [String] {
        try bench.directory.contents().filter { $0.contains("/tags/") && $0.split(separator: "/").last?.count == 64 }
    }

    @Test func `removing by tag removes the tagged entries, from any instance`() throws {
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

    @Test func `an entry stored again without the tag stays`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<2, tags: ["album"])
        try bench.fill(cache, 0..<1)
        try cache.removeAll(tagged: "album")
        #expect(try bench.kept(cache, 0..<2) == [0])
    }

    @Test(arguments: [("caf\u{e9}", "cafe\u{301}"), ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"), ("\u{212b}", "A\u{30a}")])
    func `tags are compared in their composed Unicode form`(one: String, other: String) throws {
        try #require(Array(one.utf8) != Array(other.utf8))
        let cache = bench.cache()
        for (stored, removed) in [(one, other), (other, one), (one, one)] {
            try cache.store(DiskBench.entry(0, tags: [stored]), for: DiskBench.key(0))
            try cache.store(DiskBench.entry(1, tags: ["cafe"]), for: DiskBench.key(1))
            try cache.removeAll(tagged: removed)
            #expect(try bench.kept(cache, 0..<2) == [1])
        }
    }

    @Test func `an entry stored repeatedly leaves no markers of tags that it no longer has`() throws {
        let cache = bench.cache()
        let key = DiskBench.key(0)
        for number in 0..<5 {
            try cache.store(DiskBench.entry(0, tags: ["album", "edition \(number)"]), for: key)
            let expected = cache.markers(for: ["album", "edition \(number)"], of: DiskBench.name(0)).map(\.path)
            #expect(try Set(markers().map { bench.directory.path($0) }) == Set(expected))
        }
        try cache.store(DiskBench.entry(0), for: key)
        #expect(try markers() == [])
        for number in 0..<5 {
            try cache.store(DiskBench.entry(0, tags: ["edition \(number)"]), for: key)
            if number % 2 == 0 {
                try cache.remove(key)
            } else {
                try cache.removeAll(of: key.source)
            }
            #expect(try markers() == [])
        }
        try cache.store(DiskBench.entry(0, tags: ["album", "user"]), for: key)
        try cache.removeAll(tagged: "user")
        #expect(try markers() == [])
    }

    @Test func `a tag stored by another process while it is removed is still found`() throws {
        // The other store comes when the marker of the former entry is about to be removed.
        let writer = bench.cache()
        let key = DiskBench.key(0)
        try writer.store(DiskBench.entry(0, tags: ["album"]), for: key)
        let marker = try #require(writer.markers(for: ["album"], of: DiskBench.name(0)).first)
        let files = FaultyFileSystem { operation, path in
            guard operation == .removeFile, path == marker.path else { return nil }
            return (try? writer.store(DiskBench.entry(0, tags: ["album"]), for: key)) == nil ? EIO : nil
        }
        try bench.cache(files: files).store(DiskBench.entry(0), for: key)
        #expect(bench.exists(marker.path))
        try writer.removeAll(tagged: "album")
        #expect(try !writer.contains(key))
    }

    @Test func `removing by tag reads only the tagged entries`() throws {
        let looks = Lock<[String]>([])
        let files = FaultyFileSystem { operation, path in
            if operation != .items { looks.withLock { $0.append(path) } }
            return nil
        }
        try bench.stock(bench.cache(), 0..<100)
        try bench.stock(bench.cache(), 100..<103, tags: ["album"])
        let cache = bench.cache(files: files)
        try cache.removeAll(tagged: "album")
        #expect(try bench.kept(bench.cache(), 0..<103) == Array(0..<100))
        let others = Set((0..<100).map { bench.directory.path("v2/\(DiskBench.name($0).path)") })
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

    @Test func `markers of tags are moved with the entries`() throws {
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
        #expect(try bench.directory.contents().filter { $0.contains("tags") } == [])
    }

    @Test func `a removal between a marker and its entry does not lose the entry for the next`() throws {
        // The removal comes just before the file of the entry appears.
        let bench = self.bench
        let path = bench.cache().path(for: DiskBench.key(0))
        let removes = Lock(1)
        let files = FaultyFileSystem { operation, other in
            guard operation == .writeFile, other == path, removes.withLock({ $0 }) > 0 else { return nil }
            removes.withLock { $0 -= 1 }
            return (try? bench.cache().removeAll(tagged: "album")) == nil ? EIO : nil
        }
        let cache = bench.cache(files: files)
        try cache.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        #expect(removes.withLock { $0 } == 0)
        #expect(try cache.contains(DiskBench.key(0)))
        try cache.removeAll(tagged: "album")
        #expect(try !cache.contains(DiskBench.key(0)))
    }

    @Test(arguments: [false, true])
    func `a tagged entry is found even if its writer is killed after another saw its marker`(isRemoval: Bool) throws {
        // The other call comes before the file of the entry appears. When it has appeared, all calls of the writer
        // fail.
        let bench = self.bench
        let path = bench.cache().path(for: DiskBench.key(0))
        let isDue = Lock(true)
        let files = FaultyFileSystem { operation, other in
            if bench.exists(path) { return EIO }
            guard operation == .writeFile, other == path, isDue.withLock({ $0 }) else { return nil }
            isDue.withLock { $0 = false }
            let removing = bench.cache()
            #expect(throws: Never.self) {
                if isRemoval {
                    try removing.removeAll(tagged: "album")
                } else {
                    try removing.removeExpired()
                }
            }
            return nil
        }
        let writer = bench.cache(files: files)
        #expect(throws: ImageError.self) {
            try writer.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        }
        #expect(bench.exists(path))
        try bench.cache().removeAll(tagged: "album")
        #expect(!bench.exists(path))
    }

    @Test(arguments: [false, true])
    func `a marker without an entry is removed once no entry can follow`(isRemoval: Bool) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1, tags: ["album"])
        try LocalFileSystem().removeFile(cache.path(for: DiskBench.key(0)))
        for expected in [1, 0] {
            if isRemoval {
                try cache.removeAll(tagged: "album")
            } else {
                try cache.removeExpired()
            }
            #expect(try markers().count == expected)
            bench.time.advance(by: .seconds(3700))
        }
    }

    @Test func `an entry stored while the cache is cleared is found by its tag`() throws {
        // The store comes when the entries have been removed, but not yet the markers of their tags.
        let bench = self.bench
        let writer = bench.cache()
        try writer.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        let marker = try #require(writer.markers(for: ["album"], of: DiskBench.name(0)).first)
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

    @Test func `a cache without tags reports an error instead of doing nothing`() throws {
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
        #expect(error.message == "the cache does not support removal by tag; nothing was removed")
        #expect(throws: ImageError.self) { try PlainCache().removeAll(olderThan: .zero) }
    }
}
