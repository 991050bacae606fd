#if JPEG
import CalotypeStandard

/// JPEG through a manager, beside libjpeg-turbo called from C: what the way through registry, lane, limits and sink
/// costs. Opaque pictures of 12 megapixels, 4:2:0, quality 90.
enum JPEGCoding {
    private static let size = PixelSize(4000, 3000)
    private static let quality = 90
    /// The same, as the library counts it.
    private static let context: ImageContext = [.compressionQuality(Double(quality) / 100)]

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "jpeg/decode-12mp-420", title: "JPEG decode, \(size) / libjpeg-turbo") {
                try await prepareDecoding(context)
            },
            Benchmark(id: "jpeg/decode-progressive", title: "JPEG decode, \(size) progressive / libjpeg-turbo") {
                try await prepareDecoding(context.merging([.jpegProgressive]))
            },
            Benchmark(id: "jpeg/encode", title: "JPEG encode, \(size) / libjpeg-turbo") {
                try await prepareEncoding()
            },
        ]
    }

    private static func makeManager() -> ImageManager {
        ImageManager(plugins: [.standard], context: [.off(.imageCache)])
    }

    private static func prepareDecoding(_ context: ImageContext) async throws -> Contest {
        let manager = makeManager()
        let drawn = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
        let file = try await manager.encode(drawn, as: .jpeg, context: context)
        let bare = BareJPEG(size)
        let theirs = bare.bytes(try bare.decode(file))
        guard try await manager.decode(file).pixels.tightBytes == theirs else {
            throw BenchmarkError("libjpeg-turbo made a different picture")
        }
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.decode(file).size == size else {
                        throw BenchmarkError("the picture has another size")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats { try bare.decode(file) }
            })
    }

    private static func prepareEncoding() async throws -> Contest {
        let manager = makeManager()
        let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
        let image = Image(pixels: pixels)
        let file = try await manager.encode(image, as: .jpeg, context: context)
        guard try BareJPEG.encode(pixels, quality: quality) == file else {
            throw BenchmarkError("libjpeg-turbo wrote a different file")
        }
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.encode(image, as: .jpeg, context: context).count == file.count else {
                        throw BenchmarkError("the file has another length")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats {
                    guard try BareJPEG.encode(pixels, quality: quality).count == file.count else {
                        throw BenchmarkError("libjpeg-turbo wrote a file of another length")
                    }
                }
            })
    }
}
#endif
