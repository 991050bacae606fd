import CalotypeStandard
import CalotypeTesting

/// Stores and reads of cache entries, compared with the system calls that any implementation needs.
enum DiskEntries {
    /// The number and size of entries.
    private struct Batch {
        let name: String
        let title: String
        let count: Int
        let byteCount: Int

        /// The contents of each entry.
        var bytes: Data {
            var generator = SplitMix64(seed: 1)
            return Data((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    private static let small = Batch(name: "16k", title: "10,000 x 16 KB", count: 10_000, byteCount: 16 << 10)
    private static let large = Batch(name: "1m", title: "200 x 1 MB", count: 200, byteCount: 1 << 20)

    static var benchmarks: [Benchmark] { [small, large].flatMap { [setting($0), getting($0)] } }

    private static func setting(_ batch: Batch) -> Benchmark {
        Benchmark(id: "disk/set-\(batch.name)", title: "disk set, \(batch.title) / directory, write, rename") {
            let bytes = batch.bytes
            let subject = NewEntries(count: batch.count) { try CacheDirectory(bytes, count: batch.count) }
            let peer = NewEntries(count: batch.count) { try BareDirectory(bytes, count: batch.count) }
            return .comparison(
                subject: Contender.keepingTime { repeats in try subject.set(repeats) },
                peer: Contender.keepingTime { repeats in try peer.set(repeats) })
        }
    }

    private static func getting(_ batch: Batch) -> Benchmark {
        Benchmark(id: "disk/get-\(batch.name)", title: "disk get, \(batch.title) / open, fstat, read") {
            let entries = try StoredEntries(batch.bytes, count: batch.count)
            return .comparison(
                subject: Contender { repeats in
                    for _ in 0..<repeats { try entries.get() }
                },
                peer: Contender { repeats in
                    for _ in 0..<repeats { try entries.getBare() }
                })
        }
    }
}

/// Sets entries that do not exist yet. When all are set, it starts again in an empty directory.
private final class NewEntries {
    private let count: Int
    private let makeDirectory: () throws -> any EntryDirectory
    private var directory: (any EntryDirectory)?
    private var next = 0

    init(count: Int, makeDirectory: @escaping () throws -> any EntryDirectory) {
        self.count = count
        self.makeDirectory = makeDirectory
    }

    /// Sets `repeats` entries. Returns the seconds that this took, without the time for changing directories.
    func set(_ repeats: Int) throws -> Double {
        var seconds = 0.0
        var remaining = repeats
        while remaining > 0 {
            let directory = try currentDirectory()
            let end = min(count, next + remaining)
            let start = ContinuousClock.now
            for number in next..<end { try directory.set(number) }
            seconds += start.duration(to: ContinuousClock.now).seconds
            remaining -= end - next
            next = end
        }
        return seconds
    }

    private func currentDirectory() throws -> any EntryDirectory {
        if let directory, next < count { return directory }
        // The previous directory is removed first: files that the system has not yet written never reach the disk.
        directory = nil
        let made = try makeDirectory()
        directory = made
        next = 0
        return made
    }
}

/// An initially empty directory, which is removed with its entries.
private protocol EntryDirectory: AnyObject {
    /// Sets the entry with a number.
    func set(_ number: Int) throws
}

private final class CacheDirectory: EntryDirectory {
    private let owner: DirectoryOwner
    private let cache: DiskCache
    private let keys: [VariantKey]
    private let bytes: Data

    init(_ bytes: Data, count: Int) throws {
        owner = DirectoryOwner(try TemporaryDirectory.make())
        cache = DiskCache(at: owner.directory)
        keys = VariantKey.pictures(count)
        self.bytes = bytes
    }

    // Background work of the cache must not interfere with removing the directory.
    deinit { cache.waitForTrimming() }

    func set(_ number: Int) throws { try cache.store(CacheEntry(data: bytes), for: keys[number]) }
}

private final class BareDirectory: EntryDirectory {
    private let owner: DirectoryOwner
    private let files: [BareFile]
    private let bytes: Data

    init(_ bytes: Data, count: Int) throws {
        owner = DirectoryOwner(try TemporaryDirectory.make())
        files = BareFile.files(for: VariantKey.pictures(count), in: owner.directory)
        self.bytes = bytes
    }

    func set(_ number: Int) throws { try files[number].write(bytes) }
}

/// A disk cache and a bare directory with the same entries, which are read in the same random order.
private final class StoredEntries {
    private let owner: DirectoryOwner
    private let byteCount: Int
    private let cache: DiskCache
    private var keys: Turns<VariantKey>
    private var files: Turns<BareFile>

    init(_ bytes: Data, count: Int) throws {
        owner = DirectoryOwner(try TemporaryDirectory.make())
        byteCount = bytes.count
        let keys = VariantKey.pictures(count)
        let bare = owner.directory.appending(path: "bare", directoryHint: .isDirectory)
        let files = BareFile.files(for: keys, in: bare)
        cache = DiskCache(at: owner.directory.appending(path: "cache", directoryHint: .isDirectory))
        for (key, file) in zip(keys, files) {
            try cache.store(CacheEntry(data: bytes), for: key)
            try file.write(bytes)
        }
        cache.waitForTrimming()
        var generator = SplitMix64(seed: 2)
        let order = Array(0..<count).shuffled(using: &generator)
        self.keys = Turns(order.map { keys[$0] })
        self.files = Turns(order.map { files[$0] })
    }

    func get() throws {
        guard try keys.next({ try cache.entry(for: $0)?.data.count }) == byteCount else {
            throw BenchmarkError("an entry was not on disk")
        }
    }

    func getBare() throws { try files.next { try $0.read(byteCount: byteCount) } }
}
