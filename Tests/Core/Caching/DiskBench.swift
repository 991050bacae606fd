import CalotypeTesting

@testable import Calotype

/// What a test of a disk cache needs: a folder, a clock, and somebody who listens.
struct DiskBench: Sendable {
    let folder = TemporaryFolder()
    let time = ManualTime()
    private let received = Lock<[ImageError]>([])

    /// What no call threw.
    var issues: [ImageError] { received.withLock { $0 } }

    /// A cache in the folder, or in one beside it.
    func cache(
        _ configuration: DiskCache.Configuration = .init(), in folder: TemporaryFolder? = nil,
        transform: (any DataTransform)? = nil, readOnlyFolders: [ReadOnlyFolder] = [],
        files: any FileSystem = LocalFileSystem()
    ) -> DiskCache {
        DiskCache(
            at: (folder ?? self.folder).url, configuration: configuration, transform: transform,
            readOnlyFolders: readOnlyFolders, fileSystem: files, time: time
        ) { [received] issue in received.withLock { $0.append(issue) } }
    }

    /// Made once, as a key keeps its digests: these cost more than anything else here where nothing is optimized.
    private static let keys = (0..<1000).map { number in
        let digits = "\(number)"
        return VariantKey(source: SourceKey(String(repeating: "0", count: 6 - digits.count) + digits))
    }

    /// Keys, of which there are a thousand, whose entries have files of the same length.
    static func key(_ number: Int) -> VariantKey { keys[number] }

    /// An entry that is told from others by its number.
    static func entry(_ number: Int, byteCount: Int = 1000, tags: Set<String> = []) -> CacheEntry {
        CacheEntry(data: Data(repeating: UInt8(truncatingIfNeeded: number), count: byteCount), tags: tags)
    }

    /// The bytes of the file of such an entry.
    static func unit(byteCount: Int = 1000) throws -> Int {
        let pieces = try DiskEntryFormat.pieces(of: entry(0, byteCount: byteCount), for: key(0), creation: 0)
        return pieces.reduce(0) { $0 + $1.count }
    }

    /// Stores entries ten seconds apart, giving the cache time to trim after each.
    func fill(_ cache: DiskCache, _ numbers: Range<Int>, tags: Set<String> = []) throws {
        for number in numbers {
            time.advance(by: .seconds(10))
            try cache.store(Self.entry(number, tags: tags), for: Self.key(number))
            cache.waitForTrimming()
        }
    }

    /// Stores entries a second apart, and gives the cache time to trim at the end alone.
    func stock(_ cache: DiskCache, _ numbers: Range<Int>, byteCount: Int = 1000, tags: Set<String> = []) throws {
        for number in numbers {
            time.advance(by: .seconds(1))
            try cache.store(Self.entry(number, byteCount: byteCount, tags: tags), for: Self.key(number))
        }
        cache.waitForTrimming()
    }

    /// Those of the entries that are there.
    func kept(_ cache: DiskCache, _ numbers: Range<Int>) throws -> [Int] {
        try numbers.filter { try cache.contains(Self.key($0)) }
    }

    /// Whether there is a file.
    func exists(_ path: String) -> Bool { (try? LocalFileSystem().attributes(of: path)) != nil }
}
