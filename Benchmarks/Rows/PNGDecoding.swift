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

/// PNG through a manager, beside libpng called from C: what the way through registry, lane, limits and sink costs.
enum PNGDecoding {
    private static let size = PixelSize(1920, 1080)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "png/decode-rgb", title: "PNG decode, \(size) RGB / libpng") {
                try await prepare(isOpaque: true)
            },
            Benchmark(id: "png/decode-rgba", title: "PNG decode, \(size) RGBA / libpng") {
                try await prepare(isOpaque: false)
            },
        ]
    }

    private static func prepare(isOpaque: Bool) async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: isOpaque)
        let file = try await manager.encode(Image(pixels: drawn), as: .png)
        try await check(file, manager, against: drawn)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.decode(file).size == size else {
                        throw BenchmarkError("the picture has another size")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats { free(try decodeBare(file)) }
            })
    }

    /// That both sides make the pixels that were drawn.
    private static func check(_ file: Data, _ manager: ImageManager, against drawn: PixelBuffer) async throws {
        let expected = drawn.tightBytes
        guard try await manager.decode(file).pixels.tightBytes == expected else {
            throw BenchmarkError("the picture came back different")
        }
        let bare = try decodeBare(file)
        defer { free(bare) }
        guard Data(bytes: bare, count: expected.count) == expected else {
            throw BenchmarkError("libpng made a different picture")
        }
    }

    /// The pixels as libpng makes them, to be released with `free`.
    private static func decodeBare(_ file: Data) throws(BenchmarkError) -> UnsafeMutablePointer<UInt8> {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let pixels = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
            benchmark_png_decode(bytes.baseAddress, bytes.count, &width, &height)
        }
        guard let pixels else { throw BenchmarkError("libpng refused the picture") }
        guard Int(width) == size.width, Int(height) == size.height else {
            free(pixels)
            throw BenchmarkError("libpng made a picture of another size")
        }
        return pixels
    }
}
#endif
