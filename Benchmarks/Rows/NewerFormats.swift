import CalotypeStandard

/// WebP, GIF, HEIC and AVIF coding compared with their libraries called from C.
enum NewerFormats {
    private static let size = PixelSize(1920, 1080)
    /// The size of encoded pictures, which is smaller because the encoders are slow.
    private static let encodedSize = PixelSize(640, 480)

    static var benchmarks: [Benchmark] {
        var benchmarks: [Benchmark] = []
        #if WEBP
        benchmarks += webp
        #endif
        #if GIF
        benchmarks += gif
        #endif
        #if HEIF
        benchmarks += heif
        #endif
        return benchmarks
    }

    #if WEBP
    private static var webp: [Benchmark] {
        [("lossy", true, false), ("alpha", false, false), ("lossless", true, true)].flatMap {
            (kind, isOpaque, isLossless) -> [Benchmark] in
            var options = WebPOptions()
            options.lossless = isLossless
            func coding(_ size: PixelSize) -> FormatCoding {
                FormatCoding(
                    name: "webp", kind: kind, format: .webp, size: size, isOpaque: isOpaque,
                    context: [.compressionQuality(0.75), .webpOptions(options)])
            }
            return [
                coding(size).decoding(.webp(size)),
                coding(encodedSize).encoding("libwebp") { try BareLibrary.webp($0, isLossless: isLossless) },
            ]
        }
    }
    #endif

    #if GIF
    private static var gif: [Benchmark] {
        let still = FormatCoding(name: "gif", kind: "still", format: .gif, size: size, isOpaque: true, context: [])
        let palette = FormatCoding(
            name: "gif", kind: "palette", format: .gif, size: encodedSize, isOpaque: true, hasFewColors: true,
            context: [])
        return [
            still.decoding(.gifFrames(size, count: 1)),
            palette.encoding("giflib") { try BareLibrary.gif($0) },
        ]
    }
    #endif

    #if HEIF
    private static var heif: [Benchmark] {
        [ImageFormat.heic, .avif].flatMap { format -> [Benchmark] in
            func coding(_ size: PixelSize) -> FormatCoding {
                // The two sides enlarge chroma differently.
                FormatCoding(
                    name: "heif", kind: format.name, format: format, size: size, isOpaque: true,
                    context: [.compressionQuality(0.75)], tolerance: 1.5)
            }
            return [
                coding(size).decoding(.heif(size)),
                coding(encodedSize).encoding("libheif") { try BareLibrary.heif($0, as: format) },
            ]
        }
    }
    #endif
}
