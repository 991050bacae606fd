import CalotypeStandard
import CalotypeTesting

/// Entries set and got, beside the system calls that nobody gets around.
enum DiskEntries {
    /// How many entries there are, and how large.
    private struct Batch {
        let name: String
        let title: String
        let count: Int
        let byteCount: Int

        /// What each of them has.
        var bytes: Data {
            var generator = SplitMix64(seed: 1)
            return Data((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    private static let small = Batch(name: "16k", title: "10,000 x 16 KB", count: 10_000, byteCount: 16 << 10)
    private static let large = Batch(name: "1m", title: "200 x 1 MB", count: 200, byteCount: 1 << 20)

    static var benchmarks: [Benchmark] { [small, large].flatMap { [setting($0), getting($0)] } }

    private static func setting(_ batch: Batch) -> Benchmark {
        Benchmark(id: "disk/set-\(batch.name)", title: "disk set, \(batch.title) / folder, write, rename") {
            let bytes = batch.bytes
            let subject = NewEntries(count: batch.count) { try CacheFolder(bytes, count: batch.count) }
            let peer = NewEntries(count: batch.count) { try BareFolder(bytes, count: batch.count) }
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

/// Sets entries that are not there yet: when all are, it begins again in an empty folder.
private final class NewEntries {
    private let count: Int
    private let makeFolder: () throws -> any EntryFolder
    private var folder: (any EntryFolder)?
    private var next = 0

    init(count: Int, makeFolder: @escaping () throws -> any EntryFolder) {
        self.count = count
        self.makeFolder = makeFolder
    }

    /// Sets so many; the seconds that this took, without those for changing folders.
    func set(_ repeats: Int) throws -> Double {
        var seconds = 0.0
        var remaining = repeats
        while remaining > 0 {
            let folder = try currentFolder()
            let end = min(count, next + remaining)
            let start = ContinuousClock.now
            for number in next..<end { try folder.set(number) }
            seconds += start.duration(to: ContinuousClock.now).seconds
            remaining -= end - next
            next = end
        }
        return seconds
    }

    private func currentFolder() throws -> any EntryFolder {
        if let folder, next < count { return folder }
        // The former one goes first: what the system has not written out by then never gets to the disk.
        folder = nil
        let made = try makeFolder()
        folder = made
        next = 0
        return made
    }
}

/// A folder that is empty at first, and is removed with all that was set.
private protocol EntryFolder: AnyObject {
    /// Sets the entry of a number.
    func set(_ number: Int) throws
}

private final class CacheFolder: EntryFolder {
    private let owner: FolderOwner
    private let cache: DiskCache
    private let keys: [VariantKey]
    private let bytes: Data

    init(_ bytes: Data, count: Int) throws {
        owner = FolderOwner(try TemporaryFolder.make())
        cache = DiskCache(at: owner.folder)
        keys = VariantKey.pictures(count)
        self.bytes = bytes
    }

    // What the cache still writes in the background must not get in the way of removing the folder.
    deinit { cache.waitForTrimming() }

    func set(_ number: Int) throws { try cache.store(CacheEntry(data: bytes), for: keys[number]) }
}

private final class BareFolder: EntryFolder {
    private let owner: FolderOwner
    private let files: [BareFile]
    private let bytes: Data

    init(_ bytes: Data, count: Int) throws {
        owner = FolderOwner(try TemporaryFolder.make())
        files = BareFile.files(for: VariantKey.pictures(count), in: owner.folder)
        self.bytes = bytes
    }

    func set(_ number: Int) throws { try files[number].write(bytes) }
}

/// A disk cache and a bare folder with the same entries, which are got in no order, the same one for both.
private final class StoredEntries {
    private let owner: FolderOwner
    private let byteCount: Int
    private let cache: DiskCache
    private var keys: Turns<VariantKey>
    private var files: Turns<BareFile>

    init(_ bytes: Data, count: Int) throws {
        owner = FolderOwner(try TemporaryFolder.make())
        byteCount = bytes.count
        let keys = VariantKey.pictures(count)
        let bare = owner.folder.appending(path: "bare", directoryHint: .isDirectory)
        let files = BareFile.files(for: keys, in: bare)
        cache = DiskCache(at: owner.folder.appending(path: "cache", directoryHint: .isDirectory))
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
