import CalotypeTesting

@testable import Calotype

/// What a test of a disk cache needs: a directory, a clock, and somebody who listens.
struct DiskBench: Sendable {
    let directory = TemporaryDirectory()
    let time = ManualTime()
    private let makeSecret: @Sendable () -> DirectorySecret
    private let received = Lock<[ImageError]>([])

    /// - Parameter makeSecret: Makes the secret of each directory that has none.
    init(makeSecret: @escaping @Sendable () -> DirectorySecret = { DiskBench.secret }) { self.makeSecret = makeSecret }

    /// What no call threw.
    var issues: [ImageError] { received.withLock { $0 } }

    /// A cache in the directory, or in one beside it.
    func cache(
        _ configuration: DiskCache.Configuration = .init(), in directory: TemporaryDirectory? = nil,
        transform: (any DataTransform)? = nil, readOnlyDirectories: [ReadOnlyDirectory] = [],
        files: any FileSystem = LocalFileSystem()
    ) -> DiskCache {
        DiskCache(
            at: (directory ?? self.directory).url, configuration: configuration, transform: transform,
            readOnlyDirectories: readOnlyDirectories, fileSystem: files, time: time, makeSecret: makeSecret,
            onIssue: { [received] issue in received.withLock { $0.append(issue) } })
    }

    /// The secret of the directories of tests that say nothing else: the bytes 0, 1, 2 and so on.
    static let secret = directorySecret(startingAt: 0)

    /// A secret of bytes that go up from the first one.
    static func directorySecret(startingAt first: UInt8) -> DirectorySecret {
        guard let secret = DirectorySecret((first..<first + 32).map { $0 }) else { preconditionFailure("32 bytes") }
        return secret
    }

    /// What the entry of a key is called in such a directory.
    static func name(_ number: Int) -> DiskEntryName { key(number).diskName(under: secret) }

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
        let pieces = try DiskEntryFormat.pieces(
            of: entry(0, byteCount: byteCount), for: key(0), under: secret, creation: 0)
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
