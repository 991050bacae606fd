import CalotypeStandard

/// Coding of a format through a manager, compared with the format's library called from C: the cost of the registry,
/// lane, limits and sink.
struct FormatCoding {
    /// The first part of the rows' ids, and the format in the titles.
    let name: String
    /// The last part of the rows' ids.
    let kind: String
    let format: ImageFormat
    /// The size of the picture.
    let size: PixelSize
    let isOpaque: Bool
    /// Whether the picture has at most 256 colors.
    var hasFewColors = false
    let context: ImageContext
    /// The largest mean difference between the pixels of both sides, of 255.
    var tolerance = 0.0

    /// Returns a row for decoding, compared with a library.
    func decoding(_ bare: BareLibrary) -> Benchmark {
        Benchmark(id: "\(name)/decode-\(kind)", title: "\(title("decode")) / \(bare.name)") { [self] in
            let manager = Self.makeManager()
            let drawn = Image(pixels: try pixels())
            let file = try await manager.encode(drawn, as: format, context: context)
            try bare.decode(file)
            let made = try await manager.decode(file).pixels.tightBytes
            guard try made == bare.bytes || PixelDifference.mean(made, bare.bytes) <= tolerance else {
                throw BenchmarkError("\(bare.name) decoded a different picture")
            }
            return .comparison(
                subject: Contender { repeats in
                    for _ in 0..<repeats {
                        guard try await manager.decode(file).size == size else {
                            throw BenchmarkError("the picture has the wrong size")
                        }
                    }
                },
                peer: Contender { repeats in
                    for _ in 0..<repeats { try bare.decode(file) }
                })
        }
    }

    /// Returns a row for encoding, compared with a library that writes the same file.
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
                            throw BenchmarkError("the length of the file changed")
                        }
                    }
                },
                peer: Contender { repeats in
                    for _ in 0..<repeats {
                        guard try encode(pixels).count == file.count else {
                            throw BenchmarkError("the length of the file from \(library) changed")
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
