import CalotypeTesting

@testable import Calotype

/// The environment of a disk cache test: a directory, a clock, and an issue handler.
struct DiskBench: Sendable {
    let directory = TemporaryDirectory()
    let time = ManualTime()
    private let makeSecret: @Sendable () -> DirectorySecret
    private let received = Lock<[ImageError]>([])

    /// - Parameter makeSecret: Creates the secret of each directory that has none.
    init(makeSecret: @escaping @Sendable () -> DirectorySecret = { DiskBench.secret }) { self.makeSecret = makeSecret }

    /// The issues that no call threw.
    var issues: [ImageError] { received.withLock { $0 } }

    /// Returns a cache in this directory, or in another one.
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

    /// The default secret of directories in tests: the bytes 0, 1, 2 and so on.
    static let secret = directorySecret(startingAt: 0)

    /// Returns a secret of ascending bytes.
    static func directorySecret(startingAt first: UInt8) -> DirectorySecret {
        guard let secret = DirectorySecret((first..<first + 32).map { $0 }) else { preconditionFailure("32 bytes") }
        return secret
    }

    /// Returns the name of a key's entry in a directory with the default secret.
    static func name(_ number: Int) -> DiskEntryName { key(number).diskName(under: secret) }

    /// Created once, since a key caches its digests. In an unoptimized build these cost more than anything else here.
    private static let keys = (0..<1000).map { number in
        let digits = "\(number)"
        return VariantKey(source: SourceKey(String(repeating: "0", count: 6 - digits.count) + digits))
    }

    /// Returns one of a thousand keys, whose entries have files of equal length.
    static func key(_ number: Int) -> VariantKey { keys[number] }

    /// Returns an entry that is identified by its number.
    static func entry(_ number: Int, byteCount: Int = 1000, tags: Set<String> = []) -> CacheEntry {
        CacheEntry(data: Data(repeating: UInt8(truncatingIfNeeded: number), count: byteCount), tags: tags)
    }

    /// Returns the file size of such an entry.
    static func unit(byteCount: Int = 1000) throws -> Int {
        let pieces = try DiskEntryFormat.pieces(
            of: entry(0, byteCount: byteCount), for: key(0), under: secret, creation: 0)
        return pieces.reduce(0) { $0 + $1.count }
    }

    /// Stores entries ten seconds apart, and waits for trimming after each.
    func fill(_ cache: DiskCache, _ numbers: Range<Int>, tags: Set<String> = []) throws {
        for number in numbers {
            time.advance(by: .seconds(10))
            try cache.store(Self.entry(number, tags: tags), for: Self.key(number))
            cache.waitForTrimming()
        }
    }

    /// Stores entries a second apart, and waits for trimming only at the end.
    func stock(_ cache: DiskCache, _ numbers: Range<Int>, byteCount: Int = 1000, tags: Set<String> = []) throws {
        for number in numbers {
            time.advance(by: .seconds(1))
            try cache.store(Self.entry(number, byteCount: byteCount, tags: tags), for: Self.key(number))
        }
        cache.waitForTrimming()
    }

    /// Returns the numbers whose entries exist.
    func kept(_ cache: DiskCache, _ numbers: Range<Int>) throws -> [Int] {
        try numbers.filter { try cache.contains(Self.key($0)) }
    }

    /// Returns whether a file exists.
    func exists(_ path: String) -> Bool { (try? LocalFileSystem().attributes(of: path)) != nil }
}
