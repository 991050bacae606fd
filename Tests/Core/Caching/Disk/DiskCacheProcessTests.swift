import CacheWriterKit
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

/// Several processes on one directory, including ones that are killed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DiskCacheProcessTests {
    private let bench = DiskBench()
    private let errors = TemporaryDirectory()

    init() throws { try LocalFileSystem().createDirectories(errors.root) }

    /// The file for the writers' error messages.
    private var errorFile: String { errors.path("errors") }

    /// The error messages of the writers.
    private var complaints: String {
        (try? Data(contentsOf: URL(filePath: errorFile))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func makeWriter(seed: Int, _ mode: WriterMode, count: Int? = nil) throws -> CacheWriterProcess {
        try CacheWriterProcess(
            directory: bench.directory.root, seed: seed, mode: mode, count: count, complaints: errorFile)
    }

    /// Returns a cache with the configuration of the writers, and the current time.
    private func makeCache() -> DiskCache {
        bench.time.moveWallTime(by: SystemTime().wallTime() - bench.time.wallTime())
        return bench.cache(WrittenEntry.configuration)
    }

    /// Returns the paths of all files and directories that may exist, except temporary files.
    private func allPlaces() -> Set<String> {
        let cache = makeCache()
        var files = [DiskEntryName.ledger, DiskEntryName.secret].map { "\(cache.root)/\($0)" }
        for number in WrittenEntry.numbers {
            let key = WrittenEntry.key(number)
            files.append(cache.path(for: key))
            for edition in WrittenEntry.editions {
                let tags = WrittenEntry(number: number, edition: edition).tags
                guard let secret = try? cache.presentSecret(in: cache.root) else { continue }
                files += cache.markers(for: tags, of: key.diskName(under: secret)).map(\.path)
            }
        }
        var places: Set<String> = []
        for file in files {
            var path = file
            while path.utf8.count > bench.directory.root.utf8.count {
                places.insert(path)
                path = DiskCache.parent(of: path)
            }
        }
        return places
    }

    /// Returns the temporary files, current or left over.
    private func unfinishedFiles() throws -> Set<String> {
        let names = try bench.directory.contents()
        return Set(names.filter { $0.contains("/.calotype-") }.map { bench.directory.path($0) })
    }

    /// Expects that every file in the directory is a valid entry, or belongs to one. Returns the number of entries.
    @discardableResult
    private func expectWhole(_ cache: DiskCache, in places: Set<String>) throws -> Int {
        let unfinished = try unfinishedFiles()
        let paths = try bench.directory.contents().map { bench.directory.path($0) }
        #expect(paths.filter { !places.contains($0) && !unfinished.contains($0) } == [])
        #expect(unfinished.filter { !places.contains(DiskCache.parent(of: $0)) } == [])
        var count = 0
        for number in WrittenEntry.numbers {
            let found = try cache.entry(for: WrittenEntry.key(number))
            #expect(WrittenEntry.isRight(found, for: number), "number \(number)")
            if found != nil { count += 1 }
        }
        let verification = try cache.verify()
        #expect(verification.findings == [])
        // Expired entries were removed when they were read.
        #expect(verification.entryCount == count)
        #expect(cache.statistics.repairs == 0)
        #expect(bench.issues.map(\.description) == [])
        #expect(complaints == "")
        return count
    }

    /// Expects that the limit holds after the next store, and that the ledger is correct.
    private func expectBounded(_ cache: DiskCache) throws {
        try cache.store(WrittenEntry(number: 0, edition: 0).entry, for: WrittenEntry.key(0))
        cache.waitForTrimming()
        #expect(try cache.totalByteCount() <= WrittenEntry.configuration.byteLimit)
        let file = try Data(contentsOf: URL(filePath: "\(cache.root)/\(DiskEntryName.ledger)"))
        let ledger = try #require(DiskLedger(file))
        let counted = (0..<DiskLedger.shardCount).map { shard in
            DiskSurvey(of: shard, in: cache.root, LocalFileSystem()).usage
        }
        #expect(ledger.shards == counted)
    }

    @Test func `three hundred writers are killed at any instant, and every entry is valid or absent`() throws {
        var random = SplitMix64(seed: 7)
        let places = allPlaces()
        var count = 0
        for number in 1...300 {
            let writer = try makeWriter(seed: number, number % 8 == 0 ? .removing : .storing)
            // Most live only until the directory is open, some until they trim.
            let most = Int.random(in: 0...40, using: &random)
            let operationCount = Int.random(in: 0...most, using: &random)
            try #require(writer.waitForReports(1 + operationCount), "writer \(number): \(complaints)")
            // Wait until the writer is within the next operation.
            for _ in 0..<Int.random(in: 0..<20_000, using: &random) { _ = random.next() }
            #expect(writer.stop() == .killed(signal: SIGKILL), "writer \(number): \(complaints)")
            guard number % 50 == 0 else { continue }
            let cache = makeCache()
            count += try expectWhole(cache, in: places)
            try expectBounded(cache)
        }
        #expect(count > 0)

        let last = try makeWriter(seed: 0, .storing, count: 20)
        #expect(last.waitUntilExit() == .exited(status: 0))
        let cache = makeCache()
        try expectWhole(cache, in: places)
        // Temporary files of killed writers are removed when they are old.
        bench.time.advance(by: .seconds(2 * 3600))
        try cache.removeExpired()
        #expect(try unfinishedFiles() == [])
    }

    @Test func `four concurrent writers leave every entry whole and the directory within its limits`() throws {
        let writers = try (1...4).map { try makeWriter(seed: $0, $0 == 4 ? .removing : .storing, count: 250) }
        for writer in writers { #expect(writer.waitUntilExit() == .exited(status: 0), "\(complaints)") }
        #expect(try unfinishedFiles() == [])
        let cache = makeCache()
        // Until the next count, the limit may be exceeded by a half.
        #expect(try cache.totalByteCount() <= WrittenEntry.configuration.byteLimit * 3 / 2)
        try expectWhole(cache, in: allPlaces())
        try expectBounded(cache)
    }
}
