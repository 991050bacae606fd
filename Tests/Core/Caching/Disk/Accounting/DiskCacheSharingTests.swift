import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// Several caches on one directory, like those of several processes: they share only the files.
@Suite(.timeLimit(.minutes(5)))
struct DiskCacheSharingTests {
    private let bench = DiskBench()

    @Test func `four caches that write, read, remove and trim at once leave every entry whole`() throws {
        let unit = try DiskBench.unit()
        let caches = (0..<4).map { _ in bench.cache(.init(byteLimit: 50 * unit)) }
        let wrong = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<150 {
                let number = Int.random(in: 0..<200, using: &random)
                let tags: Set<String> = number % 3 == 0 ? ["album"] : []
                do {
                    switch Int.random(in: 0..<50, using: &random) {
                    case 0: try caches[thread].removeAll(tagged: "album")
                    case 1: try caches[thread].trim(toByteCount: 20 * unit)
                    case 2...4: try caches[thread].remove(DiskBench.key(number))
                    case 5...15:
                        let found = try caches[thread].entry(for: DiskBench.key(number))
                        if let found, found != DiskBench.entry(number, tags: tags) {
                            wrong.withLock { $0.append("entry \(number)") }
                        }
                    default: try caches[thread].store(DiskBench.entry(number, tags: tags), for: DiskBench.key(number))
                    }
                } catch {
                    wrong.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(wrong.withLock { $0 } == [])
        for cache in caches { cache.waitForTrimming() }
        #expect(bench.issues.map(\.description) == [])
        for cache in caches { #expect(cache.statistics.repairs == 0) }
        #expect(try caches[0].verify().findings == [])
        #expect(try caches[0].totalByteCount() <= 75 * unit)
        // A cache that opens the directory counts it, which corrects incorrect counts.
        let last = bench.cache(.init(byteLimit: 50 * unit))
        try last.store(DiskBench.entry(1), for: DiskBench.key(1))
        last.waitForTrimming()
        #expect(try last.totalByteCount() <= 50 * unit)
        #expect(try bench.directory.contents().filter { $0.contains(".calotype-") } == [])
    }

    @Test func `two concurrent trims do not remove twice as much`() throws {
        let (unit, count) = (try DiskBench.unit(), 300)
        try bench.stock(bench.cache(), 0..<count)
        // The other trim begins and ends while the first is at its hundredth entry.
        let other = bench.cache()
        let removals = Lock(0)
        let files = FaultyFileSystem { operation, _ in
            guard operation == .removeFile else { return nil }
            let isHundredth = removals.withLock { removals -> Bool in
                removals += 1
                return removals == 100
            }
            if isHundredth { #expect(throws: Never.self) { try other.trim(toByteCount: count / 2 * unit) } }
            return nil
        }
        // Checks for removals by others after every 25 entries, as it would by default after 256.
        var configuration = DiskCache.Configuration(byteLimit: count * unit, lowWaterMark: 0.5)
        configuration.sampleCount = 100
        let cache = bench.cache(configuration, files: files)
        bench.time.advance(by: .seconds(1))
        try cache.store(DiskBench.entry(0), for: DiskBench.key(count))
        cache.waitForTrimming()
        // Entries that the other trim has removed are not tried again.
        #expect(removals.withLock { $0 } == 100)
        #expect(try bench.kept(other, 0..<count + 1) == Array(count / 2 + 1..<count + 1))
        #expect(cache.statistics.evictions + other.statistics.evictions == count / 2 + 1)
    }

    @Test(arguments: [0, 1 << 40])
    func `a wrong ledger is detected`(byteCount: Int) throws {
        let unit = try DiskBench.unit()
        try bench.fill(bench.cache(), 0..<20)
        var ledger = DiskLedger()
        ledger.shards[3] = DiskUsage(byteCount: byteCount, count: byteCount / 1000)
        try bench.directory.write(ledger.data, to: bench.directory.path("v2/usage"))
        let cache = bench.cache(.init(byteLimit: 30 * unit))
        try bench.fill(cache, 20..<21)
        #expect(try bench.kept(cache, 0..<21) == Array(0..<21))
        try bench.fill(cache, 21..<31)
        #expect(try bench.kept(cache, 0..<31) == Array(7..<31))
    }

    @Test func `a damaged or missing ledger is written anew`() throws {
        let unit = try DiskBench.unit()
        let cache = bench.cache(.init(byteLimit: 30 * unit))
        try bench.fill(cache, 0..<20)
        let path = bench.directory.path("v2/usage")
        let whole = try Data(contentsOf: URL(filePath: path))
        for content in [Data(), whole.dropLast(), Data(count: whole.count), Data(count: 100_000)] as [Data] {
            try bench.directory.write(content, to: path)
            try bench.fill(cache, 0..<1)
            #expect(try ledger().total == DiskUsage(byteCount: 20 * unit, count: 20))
        }
        try LocalFileSystem().removeFile(path)
        try bench.fill(cache, 20..<31)
        #expect(try cache.totalCount() == 24)
        #expect(bench.issues.map(\.description) == [])
    }

    @Test func `a process that only reads records its hits and misses without counting the directory`() throws {
        try bench.fill(bench.cache(), 0..<3)
        let files = FaultyFileSystem { _, _ in nil }
        let reader = bench.cache(files: files)
        for number in 0..<5 { _ = try reader.entry(for: DiskBench.key(number)) }
        let callCount = files.callCount
        for _ in 0..<2 {
            reader.waitForTrimming()
            // The owners of the directory and of the layout are checked, and the ledger is read and written, once.
            #expect(files.callCount == callCount + 4)
            let ledger = try ledger()
            #expect(ledger.hits == 3)
            #expect(ledger.misses == 2)
            #expect(ledger.total.count == 3)
        }
        // A reader that runs on also records its counts.
        for _ in 0..<1024 - 5 { _ = try reader.entry(for: DiskBench.key(5)) }
        reader.trimmingQueue.sync {}
        #expect(try ledger().misses == 1024 - 3)
    }

    @Test func `a process that only reads an empty directory leaves nothing there`() throws {
        let reader = bench.cache()
        _ = try reader.entry(for: DiskBench.key(0))
        reader.waitForTrimming()
        #expect(!bench.directory.exists)
    }

    /// Returns the ledger of the directory.
    private func ledger() throws -> DiskLedger {
        try #require(DiskLedger(Data(contentsOf: URL(filePath: bench.directory.path("v2/usage")))))
    }

    @Test func `a count limit holds for several caches together`() throws {
        let caches = (0..<4).map { _ in bench.cache(.init(countLimit: 40)) }
        for number in 0..<120 {
            bench.time.advance(by: .seconds(1))
            let cache = caches[number % 4]
            try cache.store(DiskBench.entry(number), for: DiskBench.key(number))
            cache.waitForTrimming()
            if number % 20 == 19 { #expect(try bench.cache().totalCount() <= 60) }
        }
    }

    @Test func `a count limit holds while a cache is in use`() throws {
        let cache = bench.cache(.init(countLimit: 40, lowWaterMark: 0.5))
        try bench.fill(cache, 0..<40)
        #expect(try cache.totalCount() == 40)
        try bench.fill(cache, 40..<41)
        #expect(try bench.kept(cache, 0..<41) == Array(21..<41))
        for number in 100..<300 {
            try cache.store(DiskBench.entry(number), for: DiskBench.key(number))
            // Counted by another cache, so that this one learns nothing.
            if number % 20 == 0 { #expect(try bench.cache().totalCount() <= 60) }
        }
        cache.waitForTrimming()
        #expect(try cache.totalCount() <= 40)
    }
}
