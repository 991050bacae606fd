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

/// The folder that a former version of the library has left in a cache's folder.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheFormerLayoutTests {
    /// A call after which it is gone.
    enum Call: CaseIterable, Sendable {
        case verify, clear, trim, removeExpired, store

        func make(_ cache: DiskCache) throws {
            switch self {
            case .verify: _ = try cache.verify()
            case .clear: try cache.clear()
            case .trim: try cache.trim(toByteCount: .max)
            case .removeExpired: try cache.removeExpired()
            case .store: try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
            }
            cache.waitForTrimming()
        }
    }

    private let bench = DiskBench()
    private var former: String { bench.folder.path(DiskEntryName.formerLayout) }

    /// Puts a folder of the former layout somewhere.
    private func write(to path: String) throws {
        let source = "\(path)/ab/\(String(repeating: "ab", count: 16))"
        try LocalFileSystem().createFolders(source)
        try bench.folder.write(Data("token=1234".utf8), to: "\(source)/\(String(repeating: "01", count: 16))")
        try bench.folder.write(Data(repeating: 1, count: 32), to: "\(path)/secret")
    }

    @Test(arguments: Call.allCases)
    func `a folder of the former layout is removed`(call: Call) throws {
        try write(to: former)
        try call.make(bench.cache())
        #expect(!bench.exists(former))
        #expect(bench.issues.isEmpty)
    }

    @Test(arguments: Call.allCases)
    func `a link in its place is not followed`(call: Call) throws {
        let elsewhere = TemporaryFolder()
        try write(to: elsewhere.root)
        let before = try elsewhere.contents().sorted()
        try LocalFileSystem().createFolders(bench.folder.root)
        try #require(symlink(elsewhere.root, former) == 0)
        try call.make(bench.cache())
        #expect(try elsewhere.contents().sorted() == before)
    }

    @Test(arguments: Call.allCases)
    func `a folder with something in it that is not the cache's stays`(call: Call) throws {
        try write(to: former)
        try bench.folder.write(Data("mine".utf8), to: "\(former)/notes.txt")
        let before = try bench.folder.contents().filter { $0.hasPrefix(DiskEntryName.formerLayout) }.sorted()
        try call.make(bench.cache())
        let after = try bench.folder.contents().filter { $0.hasPrefix(DiskEntryName.formerLayout) }.sorted()
        #expect(after == before)
    }

    @Test func `one that cannot be removed is a finding that is not mended`() throws {
        try write(to: former)
        let path = former
        let files = FaultyFileSystem { operation, other in
            operation == .removeFolderWithItems && other == path ? EACCES : nil
        }
        let findings = try bench.cache(files: files).verify().findings
        #expect(findings.map(\.path) == [path])
        #expect(findings.map(\.isMended) == [false])
    }
}
