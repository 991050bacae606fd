#if PNG
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// PNG coding through a manager, compared with libpng called from C: the cost of the registry, lane, limits and sink.
enum PNGCoding {
    private static let size = PixelSize(1920, 1080)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "png/decode-rgb", title: "PNG decode, \(size) RGB / libpng") {
                try await prepareDecoding(isOpaque: true)
            },
            Benchmark(id: "png/decode-rgba", title: "PNG decode, \(size) RGBA / libpng") {
                try await prepareDecoding(isOpaque: false)
            },
            Benchmark(id: "png/encode-rgb", title: "PNG encode, \(size) RGB / libpng") {
                try await prepareEncoding(isOpaque: true)
            },
            Benchmark(id: "png/encode-rgba", title: "PNG encode, \(size) RGBA / libpng") {
                try await prepareEncoding(isOpaque: false)
            },
        ]
    }

    private static func prepareDecoding(isOpaque: Bool) async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: isOpaque)
        // As most files are written.
        let file = try BarePNG.encode(drawn)
        try await check(file, manager, against: drawn)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.decode(file).size == size else {
                        throw BenchmarkError("the picture has the wrong size")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats { free(try BarePNG.decode(file, size)) }
            })
    }

    private static func prepareEncoding(isOpaque: Bool) async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let pixels = try DrawnPicture.pixels(size: size, isOpaque: isOpaque)
        let image = Image(pixels: pixels)
        let bare = try BarePNG.encode(pixels)
        let file = try await manager.encode(image, as: .png)
        guard try await manager.decode(bare).pixels.tightBytes == pixels.tightBytes else {
            throw BenchmarkError("libpng wrote a different picture")
        }
        guard file.count <= bare.count else { throw BenchmarkError("the file is longer than libpng's") }
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.encode(image, as: .png).count == file.count else {
                        throw BenchmarkError("the length of the file changed")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats {
                    guard try BarePNG.encode(pixels).count == bare.count else {
                        throw BenchmarkError("the length of the file from libpng changed")
                    }
                }
            })
    }

    /// Checks that both sides produce the drawn pixels.
    private static func check(_ file: Data, _ manager: ImageManager, against drawn: PixelBuffer) async throws {
        let expected = drawn.tightBytes
        guard try await manager.decode(file).pixels.tightBytes == expected else {
            throw BenchmarkError("the decoded picture differs from the encoded one")
        }
        let bare = try BarePNG.decode(file, size)
        defer { free(bare) }
        guard Data(bytes: bare, count: expected.count) == expected else {
            throw BenchmarkError("libpng decoded a different picture")
        }
    }
}
#endif
