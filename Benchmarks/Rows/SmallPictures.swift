#if PNG && JPEG
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Icons decoded and encoded by the coders alone, compared with the libraries called from C: the fixed cost of a coder
/// for each file. The fixed cost of a manager (a change of threads, its limits) is not included.
enum SmallPictures {
    private static let size = PixelSize(64, 64)
    private static let quality = 90

    static var benchmarks: [Benchmark] {
        var benchmarks = common
        #if WEBP
        benchmarks += [
            Benchmark(id: "webp/decode-64", title: "WebP decode, \(size), the coder / libwebp") {
                let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
                let file = try BareLibrary.webp(pixels, isLossless: false)
                let bare = BareLibrary.webp(size)
                try bare.decode(file)
                return try decoding(file, by: WebPCoder(), expected: bare.bytes) { try bare.decode(file) }
            },
            Benchmark(id: "webp/encode-64", title: "WebP encode, \(size), the coder / libwebp") {
                let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
                return try encoding(pixels, by: WebPCoder(), as: .webp, quality: 75) {
                    try BareLibrary.webp(pixels, isLossless: false)
                }
            },
        ]
        #endif
        #if GIF
        benchmarks += [
            Benchmark(id: "gif/decode-64", title: "GIF decode, \(size), the coder / giflib") {
                let image = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
                let file = try await ImageManager(plugins: [.standard]).encode(image, as: .gif)
                let bare = BareLibrary.gifFrames(size, count: 1)
                try bare.decode(file)
                return try decoding(file, by: GIFCoder(), expected: bare.bytes) { try bare.decode(file) }
            },
            Benchmark(id: "gif/encode-64", title: "GIF encode, \(size), 256 colors, the coder / giflib") {
                let pixels = try DrawnPicture.fewColors(size: size)
                return try encoding(pixels, by: GIFCoder(), as: .gif) { try BareLibrary.gif(pixels) }
            },
        ]
        #endif
        #if HEIF
        for format in [ImageFormat.heic, .avif] {
            let title = format.name.uppercased()
            benchmarks += [
                Benchmark(
                    id: "heif/decode-\(format.name)-64", title: "\(title) decode, \(size), the coder / libheif"
                ) {
                    let file = try BareLibrary.heif(try DrawnPicture.pixels(size: size, isOpaque: true), as: format)
                    let bare = BareLibrary.heif(size)
                    try bare.decode(file)
                    return try decoding(file, by: HEIFCoder(), expected: bare.bytes, tolerance: 1.5) {
                        try bare.decode(file)
                    }
                },
                Benchmark(
                    id: "heif/encode-\(format.name)-64", title: "\(title) encode, \(size), the coder / libheif"
                ) {
                    let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
                    return try encoding(pixels, by: HEIFCoder(), as: format, quality: 75) {
                        try BareLibrary.heif(pixels, as: format)
                    }
                },
            ]
        }
        #endif
        return benchmarks
    }

    private static var common: [Benchmark] {
        [
            Benchmark(id: "jpeg/decode-64", title: "JPEG decode, \(size), the coder / libjpeg-turbo") {
                let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
                let file = try BareJPEG.encode(pixels, quality: quality)
                let bare = BareJPEG(size)
                try bare.decode(file)
                return try decoding(file, by: JPEGCoder(), expected: bare.bytes(size)) { try bare.decode(file) }
            },
            Benchmark(id: "jpeg/encode-64", title: "JPEG encode, \(size), the coder / libjpeg-turbo") {
                let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
                return try encoding(pixels, by: JPEGCoder(), as: .jpeg) {
                    try BareJPEG.encode(pixels, quality: quality)
                }
            },
        ]
    }

    private static func decoding(
        _ file: Data, by coder: some ImageCoder, expected: Data, tolerance: Double = 0,
        bare: @escaping () throws -> Void
    ) throws -> Contest {
        let options = DecodeOptions()
        func decode(into sink: inout BufferSink) throws {
            sink.clear()
            guard let decoder = try coder.decoder(for: ImageBytes(file), options: options),
                try decoder.info.pixelSize == size
            else { throw BenchmarkError("the coder does not recognize the picture") }
            try decoder.decode(frame: 0, into: &sink, job: Job())
            guard sink.rowCount == size.height else { throw BenchmarkError("rows are missing") }
        }
        var sink = BufferSink(size)
        try decode(into: &sink)
        guard try sink.bytes == expected || PixelDifference.mean(sink.bytes, expected) <= tolerance else {
            throw BenchmarkError("the coder decoded a different picture")
        }
        return .comparison(
            subject: Contender { repeats in
                var sink = BufferSink(size)
                for _ in 0..<repeats { try decode(into: &sink) }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats { try bare() }
            })
    }

    private static func encoding(
        _ pixels: PixelBuffer, by coder: some ImageCoder, as format: ImageFormat, quality: Int = quality,
        bare: @escaping () throws -> Data
    ) throws -> Contest {
        guard let encoder = coder.encoder(for: format) else {
            throw BenchmarkError("the coder cannot write the format")
        }
        let image = Image(pixels: pixels)
        var options = EncodeOptions()
        options.quality = Double(quality) / 100
        let length = try encoder.encode(image, options: options, job: Job()).count
        guard try length <= bare().count else { throw BenchmarkError("the file is longer than the library's") }
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try encoder.encode(image, options: options, job: Job()).count == length else {
                        throw BenchmarkError("the length of the file changed")
                    }
                }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats {
                    guard try !bare().isEmpty else { throw BenchmarkError("the file is empty") }
                }
            })
    }
}
#endif
