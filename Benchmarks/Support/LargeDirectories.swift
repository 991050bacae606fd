import CalotypeStandard

/// Directories of 100,000 entries of 1 KB, which several rows share, since filling them takes longer than measuring.
///
/// They hold an original and three thumbnails of each of 25,000 pictures: four files to a directory.
final class LargeDirectories {
    /// The directories and their contents.
    struct Filled {
        let owner: DirectoryOwner
        let keys: [VariantKey]
        /// A cache with room for more entries.
        let cache: DiskCache
        /// A full cache. A trim leaves half of its entries.
        let fullCache: DiskCache
        /// The same files without a cache, oldest first.
        let files: [BareFile]
    }

    /// The number of entries in each directory.
    static let count = pictureCount * entriesPerPicture
    /// The number of consecutive entries in one directory of a source.
    static let entriesPerPicture = 4

    /// The contents of each entry.
    static let bytes = Data(repeating: 1, count: 1 << 10)

    private static let pictureCount = 25_000
    private static let workerCount = 2

    private var known: Filled?

    /// Returns the directories, which are filled once.
    func filled() async throws -> Filled {
        if let known { return known }
        let owner = DirectoryOwner(try TemporaryDirectory.make())
        func directory(_ name: String) -> URL { owner.directory.appending(path: name, directoryHint: .isDirectory) }
        let keys = VariantKey.pictures(Self.pictureCount, thumbnailCount: Self.entriesPerPicture - 1)
        let filled = Filled(
            owner: owner, keys: keys, cache: DiskCache(at: directory("cache")),
            fullCache: DiskCache(
                at: directory("full"), configuration: .init(countLimit: Self.count, lowWaterMark: 0.5)),
            files: BareFile.files(for: keys, in: directory("bare")))
        try await Self.fill([filled.cache, filled.fullCache], filled.files, keys)
        known = filled
        return filled
    }

    /// Stores each entry in all directories before the next one, which gives the directories the same layout on disk.
    private static func fill(_ caches: [DiskCache], _ files: [BareFile], _ keys: [VariantKey]) async throws {
        let entry = CacheEntry(data: bytes)
        // A cache counts its directory after its first store. Entries that are stored meanwhile might be counted twice.
        for cache in caches {
            try cache.store(entry, for: keys[0])
            cache.waitForTrimming()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workerCount {
                group.addTask {
                    for picture in stride(from: worker, to: pictureCount, by: workerCount) {
                        let first = picture * entriesPerPicture
                        for index in first..<first + entriesPerPicture {
                            for cache in caches { try cache.store(entry, for: keys[index]) }
                            try files[index].write(bytes)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for cache in caches {
            cache.waitForTrimming()
            guard cache.statistics.count == count else {
                throw BenchmarkError("a cache has \(cache.statistics.count ?? 0) entries, not \(count)")
            }
        }
    }
}
