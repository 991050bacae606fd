import CalotypeStandard

/// A format through a manager, beside the library of the format called from C: what the way through registry, lane,
/// limits and sink costs.
struct FormatCoding {
    /// The first part of the rows' names, and the format in the titles.
    let name: String
    /// What is behind it in both.
    let kind: String
    let format: ImageFormat
    /// The picture.
    let size: PixelSize
    let isOpaque: Bool
    /// Whether the picture has 256 colors at most.
    var hasFewColors = false
    let context: ImageContext
    /// The largest mean difference between the pixels of both sides, of 255.
    var tolerance = 0.0

    /// Decoding beside a library.
    func decoding(_ bare: BareLibrary) -> Benchmark {
        Benchmark(id: "\(name)/decode-\(kind)", title: "\(title("decode")) / \(bare.name)") { [self] in
            let manager = Self.makeManager()
            let drawn = Image(pixels: try pixels())
            let file = try await manager.encode(drawn, as: format, context: context)
            try bare.decode(file)
            let made = try await manager.decode(file).pixels.tightBytes
            guard try made == bare.bytes || PixelDifference.mean(made, bare.bytes) <= tolerance else {
                throw BenchmarkError("\(bare.name) made a different picture")
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
    }

    /// Encoding beside a library, which writes the same file.
    func encoding(_ library: String, _ encode: @escaping (PixelBuffer) throws -> Data) -> Benchmark {
        Benchmark(id: "\(name)/encode-\(kind)", title: "\(title("encode")) / \(library)") { [self] in
            let manager = Self.makeManager()
            let pixels = try pixels()
            let image = Image(pixels: pixels)
            let file = try await manager.encode(image, as: format, context: context)
            guard try encode(pixels) == file else { throw BenchmarkError("\(library) wrote a different file") }
            return .comparison(
                subject: Contender { repeats in
                    for _ in 0..<repeats {
                        guard try await manager.encode(image, as: format, context: context).count == file.count else {
                            throw BenchmarkError("the file has another length")
                        }
                    }
                },
                peer: Contender { repeats in
                    for _ in 0..<repeats {
                        guard try encode(pixels).count == file.count else {
                            throw BenchmarkError("\(library) wrote a file of another length")
                        }
                    }
                })
        }
    }

    private func pixels() throws -> PixelBuffer {
        hasFewColors
            ? try DrawnPicture.fewColors(size: size) : try DrawnPicture.pixels(size: size, isOpaque: isOpaque)
    }

    private func title(_ what: String) -> String { "\(name.uppercased()) \(what), \(size) \(kind)" }

    private static func makeManager() -> ImageManager {
        ImageManager(plugins: [.standard], context: [.off(.imageCache)])
    }
}
