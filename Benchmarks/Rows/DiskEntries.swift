import BenchmarkFloors
import CalotypeStandard
import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Entries of 16 KB set and got, beside the system calls that nobody gets around.
enum DiskEntries {
    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "disk/set", title: "disk set, 16 KB / write and rename") {
                let files = try DiskFiles()
                return .comparison(
                    subject: Contender { repeats in
                        for index in 0..<repeats { try files.set(index) }
                    },
                    peer: Contender { repeats in
                        for index in 0..<repeats { try files.setBare(index) }
                    })
            },
            Benchmark(id: "disk/get", title: "disk get, 16 KB / open, examine, read, close") {
                let files = try DiskFiles()
                return .comparison(
                    subject: Contender { repeats in
                        for index in 0..<repeats { try files.get(index) }
                    },
                    peer: Contender { repeats in
                        for index in 0..<repeats { try files.getBare(index) }
                    })
            },
        ]
    }
}

/// A disk cache and a folder of plain files with the same bytes; gone from the disk with its last owner.
private final class DiskFiles {
    /// A power of two: so many entries take turns.
    private static let count = 256
    private static let byteCount = 16 << 10

    private let folder: URL
    private let bytes: Data
    private let cache: DiskCache
    private let keys: [VariantKey]
    private let temporaryPath: String
    private let paths: [String]

    init() throws {
        var generator = SplitMix64(seed: 1)
        bytes = Data((0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let folder = try TemporaryFolder.make()
        self.folder = folder
        cache = DiskCache(at: folder.appending(path: "cache", directoryHint: .isDirectory))
        keys = (0..<Self.count).map { VariantKey(source: SourceKey("https://example.org/pictures/\($0).jpg")) }
        temporaryPath = TemporaryFolder.path("temporary", in: folder)
        paths = (0..<Self.count).map { TemporaryFolder.path("\($0)", in: folder) }
        // Both sides then replace what is there and read what is there.
        for index in 0..<Self.count {
            try set(index)
            try setBare(index)
        }
    }

    deinit { TemporaryFolder.remove(folder) }

    func set(_ index: Int) throws {
        try cache.store(CacheEntry(data: bytes), for: keys[index & (Self.count - 1)])
    }

    func get(_ index: Int) throws {
        guard try cache.entry(for: keys[index & (Self.count - 1)])?.data.count == Self.byteCount else {
            throw BenchmarkError("an entry was not on disk")
        }
    }

    func setBare(_ index: Int) throws {
        let path = paths[index & (Self.count - 1)]
        let problem = bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int32 in
            benchmark_write_and_rename(temporaryPath, path, bytes.baseAddress, bytes.count)
        }
        guard problem == 0 else { throw BenchmarkError("\(path) cannot be written (error \(problem))") }
    }

    func getBare(_ index: Int) throws {
        let path = paths[index & (Self.count - 1)]
        guard let bytes = benchmark_read(path, Self.byteCount) else {
            throw BenchmarkError("\(path) cannot be read")
        }
        free(bytes)
    }
}
