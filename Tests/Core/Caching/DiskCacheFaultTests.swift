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

/// What happens when the file system fails, or the process ends, at whatever call.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheFaultTests {
    /// What was called, and what threw.
    private struct Outcome {
        var failures: Set<String> = []

        mutating func attempt(_ what: String, _ body: () throws -> Void) {
            do {
                try body()
            } catch {
                failures.insert(what)
            }
        }

        func didSucceed(_ what: String) -> Bool { !failures.contains(what) }
    }

    private static let untouched = DiskBench.key(0)
    private static let replaced = DiskBench.key(1)
    private static let removed = DiskBench.key(2)
    private static let new = DiskBench.key(3)
    private static let tagged = DiskBench.key(4)

    /// Counts the calls that touch something: those that list shards which are not there would be most.
    private func isWorthFailing(_ operation: FaultyFileSystem.Operation, _ path: String) -> Bool {
        operation != .items || (try? LocalFileSystem().attributes(of: path)) != nil
    }

    /// A bit of everything.
    private func work(with cache: DiskCache, _ bench: DiskBench) -> Outcome {
        var outcome = Outcome()
        bench.time.advance(by: .seconds(100))
        outcome.attempt("read") {
            let entry = try cache.entry(for: Self.untouched)
            #expect(entry == DiskBench.entry(0))
        }
        outcome.attempt("replace") { try cache.store(DiskBench.entry(11), for: Self.replaced) }
        cache.waitForTrimming()
        outcome.attempt("store") { try cache.store(DiskBench.entry(3), for: Self.new) }
        outcome.attempt("store tagged") { try cache.store(DiskBench.entry(4, tags: ["album"]), for: Self.tagged) }
        outcome.attempt("remove") { try cache.remove(Self.removed) }
        outcome.attempt("purge") { try cache.removeAll(tagged: "album") }
        outcome.attempt("contains") {
            let isThere = try cache.contains(Self.untouched)
            #expect(isThere)
        }
        outcome.attempt("trim") { try cache.trim(toByteCount: 1 << 20) }
        outcome.attempt("verify") { _ = try cache.verify() }
        cache.waitForTrimming()
        return outcome
    }

    @Test(arguments: [EIO, ENOSPC, EACCES, EMFILE])
    func `whichever call fails, it is told, and what was valid is still there`(code: Int32) throws {
        var number = 0
        var hasFailed = true
        while hasFailed {
            let bench = DiskBench()
            try bench.fill(bench.cache(), 0..<3)
            let count = Lock(0)
            let target = number
            let files = FaultyFileSystem { operation, path in
                guard isWorthFailing(operation, path) else { return nil }
                let index = count.withLock { count -> Int in
                    count += 1
                    return count - 1
                }
                return index == target ? code : nil
            }
            let outcome = work(with: bench.cache(files: files), bench)

            let cache = bench.cache()
            #expect(try cache.entry(for: Self.untouched) == DiskBench.entry(0), "call \(number)")
            let replacement = DiskBench.entry(outcome.didSucceed("replace") ? 11 : 1)
            #expect(try cache.entry(for: Self.replaced) == replacement, "call \(number)")
            let stored = try cache.entry(for: Self.new)
            #expect(stored == (outcome.didSucceed("store") ? DiskBench.entry(3) : nil), "call \(number)")
            if outcome.didSucceed("remove") { #expect(try !cache.contains(Self.removed), "call \(number)") }
            if outcome.didSucceed("purge") { #expect(try !cache.contains(Self.tagged), "call \(number)") }
            try cache.removeAll(tagged: "album")
            #expect(try !cache.contains(Self.tagged), "call \(number)")
            #expect(try cache.verify().findings == [], "call \(number)")
            #expect(try cache.totalCount() >= 2)
            #expect(bench.issues.allSatisfy { $0.code == .cacheFailed }, "call \(number)")
            hasFailed = count.withLock { $0 } > number
            number += 1
        }
        #expect(number > 30)
    }

    @Test func `three hundred processes are killed at any call, and every entry is valid or absent`() throws {
        let bench = DiskBench()
        var random = SplitMix64(seed: 7)
        let unit = try DiskBench.unit()
        let configuration = DiskCache.Configuration(byteLimit: 60 * unit)
        for _ in 0..<300 {
            let files = FaultyFileSystem.stopping(
                atCall: Int.random(in: 0..<1500, using: &random),
                havingWritten: Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : nil)
            let cache = bench.cache(configuration, files: files)
            for _ in 0..<20 {
                bench.time.advance(by: .seconds(1))
                let number = Int.random(in: 0..<100, using: &random)
                let tags: Set<String> = number % 3 == 0 ? ["album"] : []
                // What is thrown is what nobody sees who has been killed.
                switch Int.random(in: 0..<12, using: &random) {
                case 0: try? cache.remove(DiskBench.key(number))
                case 1: try? cache.removeAll(tagged: "album")
                case 2: _ = try? cache.entry(for: DiskBench.key(number))
                default: try? cache.store(DiskBench.entry(number, tags: tags), for: DiskBench.key(number))
                }
            }
            cache.waitForTrimming()
        }

        let cache = bench.cache(configuration)
        for number in 0..<100 {
            let tags: Set<String> = number % 3 == 0 ? ["album"] : []
            let found = try cache.entry(for: DiskBench.key(number))
            #expect(found == nil || found == DiskBench.entry(number, tags: tags))
        }
        #expect(cache.statistics.repairs == 0)
        #expect(try cache.totalCount() > 0)
        #expect(try cache.verify().findings == [])
        try cache.store(DiskBench.entry(0, tags: ["album"]), for: DiskBench.key(0))
        cache.waitForTrimming()
        #expect(try cache.totalByteCount() <= 60 * unit)
        bench.time.advance(by: .seconds(2 * 3600))
        try cache.removeExpired()
        #expect(try bench.folder.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test(arguments: [EACCES, EROFS])
    func `a folder that becomes read-only is still read`(code: Int32) throws {
        let isReadOnly = Lock(false)
        let (bench, disk) = DiskBench.cacheWithSwitch(isReadOnly, code)
        try bench.fill(disk, 0..<5)
        isReadOnly.withLock { $0 = true }
        bench.time.advance(by: .seconds(100))
        for number in 0..<5 { #expect(try disk.entry(for: DiskBench.key(number)) == DiskBench.entry(number)) }
        #expect(bench.issues.contains { ($0.cause as? FileSystemError)?.operation == "setModificationTime" })
        let error = try #require(throws: ImageError.self) { try disk.store(DiskBench.entry(9), for: DiskBench.key(9)) }
        #expect((error.cause as? FileSystemError)?.code == code)
        #expect(error.advice?.contains("let this user write") == true)
        #expect(throws: ImageError.self) { try disk.clear() }
        #expect(try bench.kept(disk, 0..<10) == Array(0..<5))
    }

    @Test func `a durable store synchronizes file and folders, and says when that fails`() throws {
        let bench = DiskBench()
        let calls = Lock<[String]>([])
        let isBroken = Lock(false)
        let files = FaultyFileSystem { operation, path in
            if operation == .synchronizeFolder {
                calls.withLock { $0.append(String(path.dropFirst(bench.folder.root.count))) }
                return isBroken.withLock { $0 } ? EIO : nil
            }
            return nil
        }
        let cache = bench.cache(.init(durability: .full), files: files)
        let name = DiskEntryName(DiskBench.key(1))
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        let made = calls.withLock { $0 }
        #expect(made.starts(with: ["/v1/\(name.folder)", "/v1/\(DiskEntryName.shardName(name.shard))", "/v1", ""]))
        calls.withLock { $0 = [] }
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(calls.withLock { $0 } == ["/v1/\(name.folder)"])
        isBroken.withLock { $0 = true }
        #expect(throws: ImageError.self) { try cache.store(DiskBench.entry(1), for: DiskBench.key(1)) }
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))

        calls.withLock { $0 = [] }
        try bench.cache(files: files).store(DiskBench.entry(2), for: DiskBench.key(2))
        #expect(calls.withLock { $0 } == [])
    }
}

extension DiskBench {
    /// A cache whose folder can be made read-only.
    fileprivate static func cacheWithSwitch(
        _ isReadOnly: Lock<Bool>, _ code: Int32
    ) -> (bench: DiskBench, cache: DiskCache) {
        let writing: Set<FaultyFileSystem.Operation> = [
            .writeFile, .createFolders, .removeFile, .removeFolder, .setModificationTime, .move,
        ]
        let bench = DiskBench()
        let files = FaultyFileSystem { operation, _ in
            writing.contains(operation) && isReadOnly.withLock { $0 } ? code : nil
        }
        return (bench, bench.cache(files: files))
    }
}
