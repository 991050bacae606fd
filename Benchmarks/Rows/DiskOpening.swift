import CalotypeStandard
import CalotypeTesting

/// What a hit costs in a folder that was just opened, where that has many entries and where it has few.
enum DiskOpening {
    private static let fewCount = 100

    static func benchmarks(_ folders: LargeFolders) -> [Benchmark] {
        [
            Benchmark(id: "disk/first-hit", title: "first hit, folder of 100,000 entries / of 100") {
                let filled = try await folders.filled()
                // As many different ones as the small folder has: with all of them the row would show what room the
                // processor's and the system's caches have.
                var generator = SplitMix64(seed: 4)
                let keys = Array(filled.keys.shuffled(using: &generator).prefix(fewCount))
                let many = OpenedFolder(filled.cache.folder, keys: keys, owner: filled.owner)
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

    /// A folder like the large one.
    private static func fewEntries() throws -> OpenedFolder {
        let owner = FolderOwner(try TemporaryFolder.make())
        let keys = VariantKey.pictures(
            fewCount / LargeFolders.entriesPerPicture, thumbnailCount: LargeFolders.entriesPerPicture - 1)
        let cache = DiskCache(at: owner.folder)
        for key in keys { try cache.store(CacheEntry(data: LargeFolders.bytes), for: key) }
        cache.waitForTrimming()
        return OpenedFolder(cache.folder, keys: keys, owner: owner)
    }
}

/// A cache's folder that is opened again for each hit.
private final class OpenedFolder {
    private let folder: URL
    private var keys: Turns<VariantKey>
    private let owner: FolderOwner

    init(_ folder: URL, keys: [VariantKey], owner: FolderOwner) {
        var generator = SplitMix64(seed: 3)
        self.folder = folder
        self.keys = Turns(keys.shuffled(using: &generator))
        self.owner = owner
    }

    func hit() throws {
        let cache = DiskCache(at: folder)
        guard try keys.next({ try cache.entry(for: $0) }) != nil else {
            throw BenchmarkError("an entry was not on disk")
        }
    }
}
