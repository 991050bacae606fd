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
struct DiskCacheVerifyingTests {
    private let bench = DiskBench()

    @Test func `a sound directory has no findings`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<20, tags: ["album"])
        let verification = try cache.verify()
        #expect(verification.entryCount == 20)
        #expect(try cache.totalByteCount() == verification.byteCount)
        #expect(verification.findings == [])
        #expect(verification.leftoverCount == 0)
        #expect(verification.fraction == 1)
        #expect(try bench.kept(cache, 0..<20) == Array(0..<20))
    }

    @Test func `damaged entries are found, reported and removed; whole entries stay`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<8)
        let paths = (0..<8).map { cache.path(for: DiskBench.key($0)) }
        let whole = try Data(contentsOf: URL(filePath: paths[0]))
        var flipped = whole
        flipped[500] ^= 4
        try bench.directory.write(flipped, to: paths[0])
        try bench.directory.write(whole.prefix(700), to: paths[1])
        try bench.directory.write(Data(), to: paths[2])
        try bench.directory.write(Data(repeating: 1, count: 500), to: paths[3])
        // A valid file in the place of another.
        try bench.directory.write(Data(contentsOf: URL(filePath: paths[7])), to: paths[4])
        let verification = try cache.verify()
        let reasons = Dictionary(uniqueKeysWithValues: verification.findings.map { ($0.path, $0.reason) })
        #expect(
            reasons == [
                paths[0]: "its checksum does not match", paths[1]: "it does not end with the signature of an entry",
                paths[2]: "it is too short for an entry", paths[3]: "it does not end with the signature of an entry",
                paths[4]: "it belongs to another key",
            ])
        #expect(verification.findings.allSatisfy { $0.isMended })
        #expect(verification.entryCount == 3)
        #expect(cache.statistics.repairs == 5)
        #expect(try bench.kept(cache, 0..<8) == [5, 6, 7])
        #expect(try cache.verify().findings == [])
    }

    /// The problems that verifying removes.
    enum Removed: CaseIterable, Sendable {
        case damaged, obstacle, leftover
    }

    @Test(arguments: Removed.allCases)
    func `a removal leaves no empty directory behind`(removed: Removed) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1, tags: ["album"])
        let path = cache.path(for: DiskBench.key(0))
        let source = DiskCache.parent(of: path)
        switch removed {
        case .damaged:
            try bench.directory.write(Data("damaged".utf8), to: path)
        case .obstacle:
            try cache.remove(DiskBench.key(0))
            try LocalFileSystem().createDirectories("\(path)/below")
        case .leftover:
            try cache.remove(DiskBench.key(0))
            try LocalFileSystem().createDirectories(source)
            let time = bench.time.wallTime() - 4000
            try bench.directory.write(
                Data("half".utf8), to: "\(source)/\(DiskEntryName.temporary())", modificationTime: time)
        }
        // The marker of an unreadable entry is removed once the entry cannot be in the process of being written.
        bench.time.advance(by: .seconds(3700))
        _ = try cache.verify()
        #expect(!bench.exists(source))
        _ = try cache.verify()
        #expect(!bench.exists(DiskCache.parent(of: source)))
    }

    @Test func `a damaged entry that is stored again before its removal stays`() throws {
        let bench = self.bench
        let other = bench.cache()
        try bench.fill(other, 0..<2)
        let path = other.path(for: DiskBench.key(0))
        try bench.directory.write(Data("damaged".utf8), to: path)
        let files = FaultyFileSystem { operation, examined in
            guard operation == .attributes, examined == path else { return nil }
            return (try? other.store(DiskBench.entry(0), for: DiskBench.key(0))) == nil ? EIO : nil
        }
        let cache = bench.cache(files: files)
        #expect(try cache.verify().findings == [])
        #expect(try other.entry(for: DiskBench.key(0)) == DiskBench.entry(0))
        #expect(cache.statistics.repairs == 0)
    }

    @Test func `a lost marker is restored, and a marker without an entry is removed`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<2, tags: ["album"])
        let markers = cache.markers(for: ["album"], of: DiskBench.name(0))
        let marker = try #require(markers.first)
        try LocalFileSystem().removeFile(marker.path)
        try LocalFileSystem().removeFile(cache.path(for: DiskBench.key(1)))
        bench.time.advance(by: .seconds(3700))
        let verification = try cache.verify()
        #expect(verification.findings.map(\.path) == [marker.path])
        #expect(verification.findings.map(\.isMended) == [true])
        #expect(verification.leftoverCount == 1)
        try cache.removeAll(tagged: "album")
        #expect(try cache.totalCount() == 0)
    }

    @Test(arguments: [false, true])
    func `temporary files of killed processes are removed, those being written stay`(isOpenedAnew: Bool) throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<1)
        let directory = URL(filePath: cache.path(for: DiskBench.key(0))).deletingLastPathComponent()
        let now = bench.time.wallTime()
        let (old, new) = (
            directory.appending(path: DiskEntryName.temporary()).path(percentEncoded: false),
            directory.appending(path: DiskEntryName.temporary()).path(percentEncoded: false)
        )
        try bench.directory.write(Data("half".utf8), to: old, modificationTime: now - 4000)
        try bench.directory.write(Data("half".utf8), to: new, modificationTime: now - 10)
        // A cache that opens a directory counts it first, which removes the same files.
        let verification = try (isOpenedAnew ? bench.cache() : cache).verify()
        #expect(verification.leftoverCount == 1)
        #expect(verification.findings == [])
        #expect(!bench.exists(old))
        #expect(bench.exists(new))
    }

    @Test func `an entry larger than the limit counts as foreign, not as damaged`() throws {
        try bench.fill(bench.cache(), 0..<3)
        let verification = try bench.cache(.init(byteLimit: 500)).verify()
        #expect(verification.foreignCount == 3)
        #expect(verification.entryCount == 0)
        #expect(verification.findings == [])
        #expect(try bench.kept(bench.cache(), 0..<3) == [0, 1, 2])
    }

    @Test func `dates in the future are findings, and extend no entry`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<3)
        let (ahead, dated) = (cache.path(for: DiskBench.key(0)), cache.path(for: DiskBench.key(1)))
        bench.time.moveWallTime(by: 100 * 86_400)
        let short = CacheEntry(data: Data("x".utf8), expiration: bench.time.wallTime() + 60)
        try cache.store(short, for: DiskBench.key(1))
        cache.waitForTrimming()
        bench.time.moveWallTime(by: -100 * 86_400)
        try LocalFileSystem().setModificationTime(bench.time.wallTime() + 1e9, of: ahead)
        let verification = try cache.verify()
        let reasons = Dictionary(uniqueKeysWithValues: verification.findings.map { ($0.path, $0.reason) })
        #expect(
            reasons == [
                ahead: "its modification time is in the future", dated: "its date was set by a clock that was ahead",
            ])
        #expect(verification.findings.allSatisfy { $0.isMended })
        #expect(verification.entryCount == 2)
        #expect(try bench.kept(cache, 0..<3) == [0, 2])
        #expect(try cache.verify().findings == [])
        bench.time.advance(by: .seconds(8 * 86_400))
        try cache.removeExpired()
        #expect(try cache.totalCount() == 0)
    }

    @Test func `a time in the future that cannot be set is a finding that is not mended`() throws {
        try bench.fill(bench.cache(), 0..<1)
        let path = bench.cache().path(for: DiskBench.key(0))
        try LocalFileSystem().setModificationTime(bench.time.wallTime() + 86_400, of: path)
        let files = FaultyFileSystem { operation, _ in operation == .setModificationTime ? EPERM : nil }
        let verification = try bench.cache(files: files).verify()
        #expect(verification.findings.map(\.path) == [path])
        #expect(verification.findings.map(\.isMended) == [false])
        #expect(verification.entryCount == 1)
    }

    @Test func `a directory that cannot be listed is one finding, whatever its contents`() throws {
        try bench.fill(bench.cache(), 0..<3)
        let root = bench.directory.path("v2")
        let cache = bench.cache(
            files: FaultyFileSystem { operation, path in operation == .items && path.hasPrefix(root) ? EACCES : nil })
        let findings = try cache.verify().findings
        #expect(findings.map(\.path) == [root])
        #expect(findings.map(\.isMended) == [false])
    }

    @Test func `an entry that cannot be read or removed is reported, and stays`() throws {
        try bench.fill(bench.cache(), 0..<3)
        let paths = (0..<3).map { bench.cache().path(for: DiskBench.key($0)) }
        try bench.directory.write(Data("damaged".utf8), to: paths[1])
        let cache = bench.cache(
            files: FaultyFileSystem { operation, path in
                if operation == .contents, path == paths[0] { return EIO }
                return operation == .removeFile && path == paths[1] ? EACCES : nil
            })
        let verification = try cache.verify()
        let isMended = Dictionary(uniqueKeysWithValues: verification.findings.map { ($0.path, $0.isMended) })
        #expect(isMended == [paths[0]: false, paths[1]: false])
        #expect(verification.entryCount == 1)
        #expect(try bench.cache().entry(for: DiskBench.key(0)) == DiskBench.entry(0))
    }

    @Test func `progress grows, and its handler can stop the verification`() throws {
        let cache = bench.cache()
        try bench.fill(cache, 0..<30)
        var counts: [Int] = []
        var fractions: [Double] = []
        _ = try cache.verify { verification in
            counts.append(verification.entryCount)
            fractions.append(verification.fraction)
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == 30)
        #expect(fractions == (1...256).map { Double($0) / 256 })

        struct Enough: Error {}
        #expect(throws: Enough.self) { _ = try cache.verify { if $0.fraction >= 0.5 { throw Enough() } } }
    }

    @Test func `an inventory describes the contents`() throws {
        let cache = bench.cache()
        let start = bench.time.wallTime()
        try bench.fill(cache, 0..<10)
        try cache.store(DiskBench.entry(10, byteCount: 5000), for: DiskBench.key(10))
        let dated = CacheEntry(data: Data(count: 3000), expiration: bench.time.wallTime() + 5)
        try cache.store(dated, for: DiskBench.key(11))
        _ = try cache.entry(for: DiskBench.key(0))
        _ = try cache.entry(for: DiskBench.key(50))
        bench.time.advance(by: .seconds(6))
        let inventory = try cache.inventory(largestCount: 2)
        #expect(inventory.entryCount == 12)
        #expect(try cache.totalByteCount() == inventory.byteCount)
        #expect(inventory.expiredCount == 1)
        #expect(inventory.largest.map(\.key) == [DiskBench.key(10), DiskBench.key(11)])
        #expect(inventory.largest.first?.path == cache.path(for: DiskBench.key(10)))
        #expect(inventory.oldest.map { abs($0 - start - 20) < 1 } == true)
        #expect(inventory.newest.map { abs($0 - start - 100) < 1 } == true)
        // Recorded in the ledger, so that another process knows it.
        #expect(try bench.cache().inventory().hitRatio == 0.5)
        #expect(try bench.cache().inventory(largestCount: 0).largest == [])
    }
}
