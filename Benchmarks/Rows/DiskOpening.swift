import CalotypeStandard
import CalotypeTesting

/// The cost of a hit in a directory that was just opened, with many entries and with few.
enum DiskOpening {
    private static let fewCount = 100

    static func benchmarks(_ directories: LargeDirectories) -> [Benchmark] {
        [
            Benchmark(id: "disk/first-hit", title: "first hit, directory of 100,000 entries / of 100") {
                let filled = try await directories.filled()
                // As many different keys as the small directory has: with all of them the row would measure the caches
                // of the processor and the system.
                var generator = SplitMix64(seed: 4)
                let keys = Array(filled.keys.shuffled(using: &generator).prefix(fewCount))
                let many = OpenedDirectory(filled.cache.directory, keys: keys, owner: filled.owner)
                let few = try fewEntries()
                return .comparison(
                    subject: Contender { repeats in
                        for _ in 0..<repeats { try many.hit() }
                    },
                    peer: Contender { repeats in
                        for _ in 0..<repeats { try few.hit() }
                    })
            }
        ]
    }

    /// Returns a directory like the large one, with few entries.
    private static func fewEntries() throws -> OpenedDirectory {
        let owner = DirectoryOwner(try TemporaryDirectory.make())
        let keys = VariantKey.pictures(
            fewCount / LargeDirectories.entriesPerPicture, thumbnailCount: LargeDirectories.entriesPerPicture - 1)
        let cache = DiskCache(at: owner.directory)
        for key in keys { try cache.store(CacheEntry(data: LargeDirectories.bytes), for: key) }
        cache.waitForTrimming()
        return OpenedDirectory(cache.directory, keys: keys, owner: owner)
    }
}

/// A cache directory that is reopened for each hit.
private final class OpenedDirectory {
    private let directory: URL
    private var keys: Turns<VariantKey>
    private let owner: DirectoryOwner

    init(_ directory: URL, keys: [VariantKey], owner: DirectoryOwner) {
        var generator = SplitMix64(seed: 3)
        self.directory = directory
        self.keys = Turns(keys.shuffled(using: &generator))
        self.owner = owner
    }

    func hit() throws {
        let cache = DiskCache(at: directory)
        guard try keys.next({ try cache.entry(for: $0) }) != nil else {
            throw BenchmarkError("an entry was not on disk")
        }
    }
}
