import CalotypeStandard
import CalotypeTesting

/// What a hit costs in a directory that was just opened, where that has many entries and where it has few.
enum DiskOpening {
    private static let fewCount = 100

    static func benchmarks(_ directories: LargeDirectories) -> [Benchmark] {
        [
            Benchmark(id: "disk/first-hit", title: "first hit, directory of 100,000 entries / of 100") {
                let filled = try await directories.filled()
                // As many different ones as the small directory has: with all of them the row would show what room the
                // processor's and the system's caches have.
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

    /// A directory like the large one.
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

/// A cache's directory that is opened again for each hit.
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
