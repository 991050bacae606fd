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

/// Failures of the file system, or the end of the process, at every call.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheFaultTests {
    /// The attempted operations, and those that threw.
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
    private static let carrying = DiskBench.key(3)
    private static let expired = DiskBench.key(4)
    private static let new = DiskBench.key(5)
    private static let tagged = DiskBench.key(6)

    /// The error numbers to use.
    static let codes = [EIO, ENOSPC, EACCES, EMFILE]

    /// Returns a directory with three entries, of which one has a tag and one expires 100 seconds later. `prepare` may
    /// add more.
    private func stock(_ prepare: (DiskBench) throws -> Void = { _ in }) throws -> DirectoryCopy {
        let bench = DiskBench()
        let cache = bench.cache()
        for number in 0..<3 { try cache.store(DiskBench.entry(number), for: DiskBench.key(number)) }
        try cache.store(DiskBench.entry(3, tags: ["user"]), for: Self.carrying)
        let dated = CacheEntry(data: Data("short".utf8), expiration: bench.time.wallTime() + 50)
        try cache.store(dated, for: Self.expired)
        cache.waitForTrimming()
        try prepare(bench)
        return try DirectoryCopy(of: bench.directory)
    }

    /// Repeats `work` with a file system in which another call fails each time, until every call has failed, with
    /// alternating error numbers. Then checks the directory with a cache whose calls succeed. Returns the number of
    /// calls.
    private func forEachCall(
        in stock: DirectoryCopy, codes: [Int32] = DiskCacheFaultTests.codes,
        configuration: DiskCache.Configuration = .init(), readOnlyDirectories: [ReadOnlyDirectory] = [],
        _ work: (DiskCache) -> Outcome, check: (DiskCache, Outcome, Comment) throws -> Void
    ) throws -> Int {
        var number = 0
        var hasFailed = true
        while hasFailed {
            let bench = DiskBench()
            try stock.write(to: bench.directory)
            bench.time.advance(by: .seconds(100))
            let count = Lock(0)
            let (target, code) = (number, codes[number % codes.count])
            let files = FaultyFileSystem { operation, path in
                // A missing directory cannot be listed anyway.
                if operation == .items, (try? LocalFileSystem().attributes(of: path)) == nil { return nil }
                let index = count.withLock { count -> Int in
                    count += 1
                    return count - 1
                }
                return index == target ? code : nil
            }
            let outcome = work(bench.cache(configuration, readOnlyDirectories: readOnlyDirectories, files: files))
            try check(bench.cache(), outcome, "call \(number)")
            #expect(bench.issues.allSatisfy { $0.code == .cacheFailed }, "call \(number)")
            hasFailed = count.withLock { $0 } > number
            number += 1
        }
        return number
    }

    @Test func `any file system call of reading or storing may fail: it is reported, and valid entries stay`() throws {
        let count = try forEachCall(in: stock()) { cache in
            var outcome = Outcome()
            outcome.attempt("read") {
                let entry = try cache.entry(for: Self.untouched)
                #expect(entry == DiskBench.entry(0))
            }
            outcome.attempt("replace") { try cache.store(DiskBench.entry(11), for: Self.replaced) }
            cache.waitForTrimming()
            outcome.attempt("store") { try cache.store(DiskBench.entry(3), for: Self.new) }
            outcome.attempt("store tagged") { try cache.store(DiskBench.entry(4, tags: ["album"]), for: Self.tagged) }
            outcome.attempt("remove") { try cache.remove(Self.removed) }
            outcome.attempt("remove") { try cache.removeAll(tagged: "album") }
            outcome.attempt("contains") {
                let isThere = try cache.contains(Self.untouched)
                #expect(isThere)
            }
            cache.waitForTrimming()
            return outcome
        } check: { cache, outcome, call in
            #expect(try cache.entry(for: Self.untouched) == DiskBench.entry(0), call)
            #expect(try cache.entry(for: Self.carrying) == DiskBench.entry(3, tags: ["user"]), call)
            let replacement = DiskBench.entry(outcome.didSucceed("replace") ? 11 : 1)
            #expect(try cache.entry(for: Self.replaced) == replacement, call)
            let stored = try cache.entry(for: Self.new)
            #expect(stored == (outcome.didSucceed("store") ? DiskBench.entry(3) : nil), call)
            if outcome.didSucceed("remove") { #expect(try !cache.contains(Self.removed), call) }
            if outcome.didSucceed("remove") { #expect(try !cache.contains(Self.tagged), call) }
            try cache.removeAll(tagged: "album")
            #expect(try !cache.contains(Self.tagged), call)
            #expect(try cache.verify().findings == [], call)
        }
        #expect(count > 30)
    }

    @Test(arguments: DiskCacheFaultTests.codes)
    func `any failing call of a read-only directory or a durable store is reported`(code: Int32) throws {
        let shipping = DiskBench()
        try shipping.fill(shipping.cache(), 7..<8)
        let count = try forEachCall(
            in: stock(), codes: [code], configuration: .init(durability: .full),
            readOnlyDirectories: [.cache(at: shipping.directory.url)]
        ) { cache in
            var outcome = Outcome()
            outcome.attempt("read") {
                let entry = try cache.entry(for: DiskBench.key(7))
                #expect(entry == DiskBench.entry(7))
            }
            outcome.attempt("replace") { try cache.store(DiskBench.entry(11), for: Self.replaced) }
            cache.waitForTrimming()
            outcome.attempt("store") { try cache.store(DiskBench.entry(3, tags: ["album"]), for: Self.new) }
            outcome.attempt("remove") { try cache.remove(Self.removed) }
            cache.waitForTrimming()
            return outcome
        } check: { cache, outcome, call in
            #expect(try cache.entry(for: Self.untouched) == DiskBench.entry(0), call)
            // A file that could not be synchronized may exist nevertheless.
            let replaced = try cache.entry(for: Self.replaced)
            let isAsBefore = !outcome.didSucceed("replace") && replaced == DiskBench.entry(1)
            #expect(replaced == DiskBench.entry(11) || isAsBefore, call)
            let stored = try cache.entry(for: Self.new)
            let isMissing = !outcome.didSucceed("store") && stored == nil
            #expect(stored == DiskBench.entry(3, tags: ["album"]) || isMissing, call)
            if outcome.didSucceed("remove") { #expect(try !cache.contains(Self.removed), call) }
            #expect(try cache.verify().findings == [], call)
        }
        #expect(count > 20)
        #expect(try shipping.cache().totalCount() == 1)
    }

    @Test func `any file system call of counting or removing may fail: it is reported, and the rest is valid`() throws {
        let count = try forEachCall(in: stock()) { cache in
            var outcome = Outcome()
            outcome.attempt("count") {
                let inventory = try cache.inventory()
                #expect(inventory.entryCount == 5)
            }
            outcome.attempt("store") { try cache.store(DiskBench.entry(5), for: Self.new) }
            cache.waitForTrimming()
            outcome.attempt("remove a source") { try cache.removeAll(of: Self.removed.source) }
            outcome.attempt("remove what is old") { try cache.removeAll(olderThan: .seconds(50)) }
            let isStored = outcome.didSucceed("store")
            outcome.attempt("contains") {
                let isThere = try cache.contains(Self.new)
                #expect(isThere == isStored)
            }
            outcome.attempt("clear") { try cache.clear() }
            cache.waitForTrimming()
            return outcome
        } check: { cache, outcome, call in
            if outcome.didSucceed("clear") { #expect(try cache.totalCount() == 0, call) }
            if outcome.didSucceed("remove a source") { #expect(try !cache.contains(Self.removed), call) }
            if outcome.didSucceed("remove what is old") { #expect(try !cache.contains(Self.replaced), call) }
            for number in 0..<3 {
                let found = try cache.entry(for: DiskBench.key(number))
                #expect(found == nil || found == DiskBench.entry(number), call)
            }
            #expect(try cache.verify().findings == [], call)
            try cache.removeAll(tagged: "user")
            #expect(try !cache.contains(Self.carrying), call)
        }
        #expect(count > 30)
    }

    @Test func `any file system call of moving may fail: no entry is lost, and the rest moves the next time`() throws {
        let stock = try stock { bench in
            let other = Self.other(beside: bench.cache())
            try other.store(DiskBench.entry(6), for: Self.tagged)
            other.waitForTrimming()
        }
        let count = try forEachCall(in: stock) { cache in
            var outcome = Outcome()
            outcome.attempt("move") { try cache.move(to: Self.other(beside: cache).directory) }
            return outcome
        } check: { cache, outcome, call in
            let other = Self.other(beside: cache)
            if !outcome.didSucceed("move") { try cache.move(to: other.directory) }
            #expect(try cache.totalCount() == 0, call)
            for number in 0..<3 {
                #expect(try other.entry(for: DiskBench.key(number)) == DiskBench.entry(number), call)
            }
            #expect(try other.entry(for: Self.carrying) == DiskBench.entry(3, tags: ["user"]), call)
            #expect(try other.entry(for: Self.tagged) == DiskBench.entry(6), call)
            #expect(try other.verify().findings == [], call)
            try other.removeAll(tagged: "user")
            #expect(try !other.contains(Self.carrying), call)
        }
        #expect(count > 30)
    }

    /// Returns another cache, in a subdirectory of a cache's directory.
    private static func other(beside cache: DiskCache) -> DiskCache {
        DiskCache(at: cache.directory.appending(path: "other", directoryHint: .isDirectory), time: cache.time)
    }

    @Test func `any file system call of trimming or verifying may fail: valid entries stay`() throws {
        let count = try forEachCall(in: stock()) { cache in
            var outcome = Outcome()
            outcome.attempt("trim") { try cache.trim(toByteCount: 1 << 20) }
            outcome.attempt("verify") { _ = try cache.verify() }
            cache.waitForTrimming()
            return outcome
        } check: { cache, _, call in
            for number in 0..<3 {
                #expect(try cache.entry(for: DiskBench.key(number)) == DiskBench.entry(number), call)
            }
            #expect(try cache.entry(for: Self.expired) == nil, call)
            #expect(try cache.verify().findings == [], call)
            try cache.removeAll(tagged: "user")
            #expect(try !cache.contains(Self.carrying), call)
            #expect(try cache.totalCount() == 3, call)
        }
        #expect(count > 30)
    }

    @Test func `forty processes stop at random calls, and every entry is valid or absent`() throws {
        let bench = DiskBench()
        var random = SplitMix64(seed: 7)
        let unit = try DiskBench.unit()
        let configuration = DiskCache.Configuration(byteLimit: 60 * unit)
        for _ in 0..<40 {
            let files = FaultyFileSystem.stopping(
                atCall: Int.random(in: 0..<600, using: &random),
                havingWritten: Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : nil)
            let cache = bench.cache(configuration, files: files)
            for _ in 0..<20 {
                bench.time.advance(by: .seconds(1))
                let number = Int.random(in: 0..<100, using: &random)
                let tags: Set<String> = number % 3 == 0 ? ["album"] : []
                // Errors are ignored, since a killed process reports none.
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
        #expect(try bench.directory.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test(arguments: [EACCES, EROFS])
    func `a directory that becomes read-only is still read`(code: Int32) throws {
        let isReadOnly = Lock(false)
        let (bench, disk) = DiskBench.cacheWithSwitch(isReadOnly, code)
        try bench.fill(disk, 0..<5)
        isReadOnly.withLock { $0 = true }
        bench.time.advance(by: .seconds(100))
        for number in 0..<5 { #expect(try disk.entry(for: DiskBench.key(number)) == DiskBench.entry(number)) }
        #expect(bench.issues.contains { ($0.cause as? FileSystemError)?.operation == "setModificationTime" })
        let error = try #require(throws: ImageError.self) { try disk.store(DiskBench.entry(9), for: DiskBench.key(9)) }
        #expect((error.cause as? FileSystemError)?.code == code)
        #expect(error.advice?.contains("give this user write permission") == true)
        #expect(throws: ImageError.self) { try disk.clear() }
        #expect(try bench.kept(disk, 0..<10) == Array(0..<5))
    }

    @Test func `a durable store synchronizes file and directories, and reports a failure of that`() throws {
        let bench = DiskBench()
        let calls = Lock<[String]>([])
        let isBroken = Lock(false)
        let files = FaultyFileSystem { operation, path in
            if operation == .synchronizeDirectory {
                calls.withLock { $0.append(String(path.dropFirst(bench.directory.root.count))) }
                return isBroken.withLock { $0 } ? EIO : nil
            }
            return nil
        }
        let cache = bench.cache(.init(durability: .full), files: files)
        let name = DiskBench.name(1)
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        // The search for temporary files uses the test's clock, which differs from that of files being written.
        cache.waitForTrimming()
        // The root directory comes first, for its secret.
        let made = calls.withLock { $0.dropFirst(3) }
        #expect(calls.withLock { $0.prefix(3) } == ["/v2", "", ""])
        #expect(made.starts(with: ["/v2/\(name.directory)", "/v2/\(DiskEntryName.shardName(name.shard))", "/v2", ""]))
        calls.withLock { $0 = [] }
        try cache.store(DiskBench.entry(1), for: DiskBench.key(1))
        #expect(calls.withLock { $0 } == ["/v2/\(name.directory)"])
        isBroken.withLock { $0 = true }
        #expect(throws: ImageError.self) { try cache.store(DiskBench.entry(1), for: DiskBench.key(1)) }
        #expect(try cache.entry(for: DiskBench.key(1)) == DiskBench.entry(1))

        calls.withLock { $0 = [] }
        try bench.cache(files: files).store(DiskBench.entry(2), for: DiskBench.key(2))
        #expect(calls.withLock { $0 } == [])
    }
}

extension DiskCacheFaultTests {
    @Test(arguments: [false, true])
    func `the secret of a directory is synchronized whatever the durability of entries`(isBroken: Bool) throws {
        let bench = DiskBench()
        let calls = Lock<[String]>([])
        let files = FaultyFileSystem { operation, path in
            guard operation == .synchronizeDirectory else { return nil }
            calls.withLock { $0.append(String(path.dropFirst(bench.directory.root.count))) }
            return isBroken ? EINVAL : nil
        }
        let cache = bench.cache(files: files)
        for number in 0..<2 { try cache.store(DiskBench.entry(number), for: DiskBench.key(number)) }
        cache.waitForTrimming()
        #expect(calls.withLock { $0 } == ["/v2", "", ""])
        #expect(try bench.kept(cache, 0..<2) == [0, 1])
    }
}

extension DiskBench {
    /// Returns a cache whose directory can be made read-only.
    fileprivate static func cacheWithSwitch(
        _ isReadOnly: Lock<Bool>, _ code: Int32
    ) -> (bench: DiskBench, cache: DiskCache) {
        let writing: Set<FaultyFileSystem.Operation> = [
            .writeFile, .createDirectories, .removeFile, .removeDirectory, .removeDirectoryWithItems,
            .setModificationTime, .move,
            .linkFile,
        ]
        let bench = DiskBench()
        let files = FaultyFileSystem { operation, _ in
            writing.contains(operation) && isReadOnly.withLock { $0 } ? code : nil
        }
        return (bench, bench.cache(files: files))
    }
}
