#if PNG
import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Small pictures that a manager finds on disk, compared with reading and decoding their files by hand: the cost of
/// queries, gates and lanes.
enum DiskPictures {
    static var benchmarks: [Benchmark] {
        var benchmarks = [
            Benchmark(id: "disk/png-10k", title: "disk hit, PNG of 10 KB / open, read, libpng") {
                try await prepare(benchmark_png_decode_file)
            }
        ]
        #if DEFLATE
        benchmarks.append(
            Benchmark(id: "disk/png-10k/libdeflate", title: "disk hit, PNG of 10 KB / open, read, libdeflate") {
                try await prepare(benchmark_deflate_decode_file)
            })
        #endif
        return benchmarks
    }

    private static func prepare(_ decodeFile: @escaping StoredPictures.DecodeFile) async throws -> Contest {
        let pictures = try await StoredPictures.make()
        try await pictures.check(decodeFile)
        return .comparison(
            subject: Contender { repeats in
                for index in 0..<repeats { _ = try await pictures.found(index) }
            },
            peer: Contender { repeats in
                for index in 0..<repeats { free(try pictures.decoded(index, by: decodeFile)) }
            }, note: "\(pictures.byteCount) bytes.")
    }
}

/// A disk cache and a bare directory with the same pictures. Requests and paths are reused in turns.
private struct StoredPictures {
    /// Decodes a file of a known length in C. Returns pixels and their size; nil if that fails.
    typealias DecodeFile = (
        UnsafePointer<CChar>?, Int, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?
    ) -> UnsafeMutablePointer<UInt8>?

    /// The number of pictures, a power of two.
    private static let count = 256
    private static let size = PixelSize(81, 81)

    private let owner: DirectoryOwner
    private let manager: ImageManager
    private let requests: [ImageRequest]
    /// The paths of the bare files, laid out as in the cache.
    private let paths: [String]
    private let pixels: PixelBuffer
    let byteCount: Int

    static func make() async throws -> StoredPictures {
        let owner = DirectoryOwner(try TemporaryDirectory.make())
        let disk = DiskCache(at: owner.directory.appending(path: "cache", directoryHint: .isDirectory))
        let manager = ImageManager(
            plugins: [.standard], context: [.imageCache(TieredCache(memory: nil, disk: disk))])
        let image = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
        let file = try await manager.encode(image, as: .png)
        guard (9 << 10...11 << 10).contains(file.count) else {
            throw BenchmarkError("the picture has \(file.count) bytes, not about 10 KB")
        }
        // This cache is only asked for paths.
        let layout = DiskCache(at: owner.directory.appending(path: "bare", directoryHint: .isDirectory))
        let requests = (0..<count).map { ImageRequest("https://example.org/pictures/\($0).png") }
        var paths: [String] = []
        for request in requests {
            try await manager.store(image, data: file, for: request, in: .disk)
            let path = layout.path(for: try await manager.cacheKey(for: request))
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try file.write(to: url)
            paths.append(path)
        }
        disk.waitForTrimming()
        return StoredPictures(
            owner: owner, manager: manager, requests: requests, paths: paths, pixels: image.pixels,
            byteCount: file.count)
    }

    /// Returns a picture that the manager finds on disk.
    func found(_ index: Int) async throws -> Image {
        let response = try await manager.response(for: requests[index & (Self.count - 1)])
        guard response.source == .disk, response.image.size == Self.size else {
            throw BenchmarkError("a picture was not on disk")
        }
        return response.image
    }

    /// Returns a picture's pixels, decoded by hand, to be released with `free`.
    func decoded(_ index: Int, by decodeFile: DecodeFile) throws -> UnsafeMutablePointer<UInt8> {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let pixels = paths[index & (Self.count - 1)].withCString { path in
            decodeFile(path, byteCount, &width, &height)
        }
        guard let pixels else { throw BenchmarkError("a picture cannot be read") }
        guard Int(width) == Self.size.width, Int(height) == Self.size.height else {
            free(pixels)
            throw BenchmarkError("a picture was decoded with the wrong size")
        }
        return pixels
    }

    /// Checks that both sides produce the drawn pixels.
    func check(_ decodeFile: DecodeFile) async throws {
        let expected = pixels.tightBytes
        let bare = try decoded(0, by: decodeFile)
        defer { free(bare) }
        guard try await found(0).pixels.tightBytes == expected, Data(bytes: bare, count: expected.count) == expected
        else { throw BenchmarkError("a picture from the disk cache is different") }
    }
}
#endif
