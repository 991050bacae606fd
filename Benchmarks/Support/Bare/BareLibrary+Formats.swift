import BenchmarkFloors
import CalotypeStandard

#if JPEG
extension BareLibrary {
    static func jpeg(_ size: PixelSize) -> BareLibrary {
        BareLibrary("libjpeg-turbo", size) { benchmark_jpeg_decode($0, $1, 1, $2, $3).width > 0 }
    }
}
#endif

#if WEBP
extension BareLibrary {
    static func webp(_ size: PixelSize) -> BareLibrary {
        BareLibrary("libwebp", size) { benchmark_webp_decode($0, $1, $2, $3).width > 0 }
    }

    /// Returns libwebp's own animation decoder, which retains the last frame.
    static func webpFrames(_ size: PixelSize, count: Int) -> BareLibrary {
        BareLibrary("libwebp", size) { benchmark_webp_play($0, $1, $2, $3) == count }
    }

    /// Encodes pixels with libwebp's defaults and a quality of 75.
    static func webp(_ pixels: PixelBuffer, isLossless: Bool) throws(BenchmarkError) -> Data {
        let kind = benchmark_webp_kind(has_alpha: !pixels.isOpaque, is_lossless: isLossless)
        return try encode(pixels, by: "libwebp") { benchmark_webp_encode($0, $1, $2, kind, &$3) }
    }
}
#endif

#if GIF
extension BareLibrary {
    /// Returns giflib with composed frames, of which the last one is retained.
    /// - Parameter areCopied: Whether each frame is copied, so that a caller could retain it. Default: true.
    static func gifFrames(_ size: PixelSize, count: Int, areCopied: Bool = true) -> BareLibrary {
        BareLibrary(areCopied ? "giflib" : "giflib-canvas", size) {
            benchmark_gif_play($0, $1, $2, $3, areCopied) == count
        }
    }

    /// Encodes opaque pixels with at most 256 colors.
    static func gif(_ pixels: PixelBuffer) throws(BenchmarkError) -> Data {
        try encode(pixels, by: "giflib") { benchmark_gif_encode($0, $1, $2, &$3) }
    }
}
#endif

#if HEIF
extension BareLibrary {
    static func heif(_ size: PixelSize) -> BareLibrary {
        BareLibrary("libheif", size) { benchmark_heif_decode($0, $1, $2, $3).width > 0 }
    }

    /// Encodes opaque pixels as 4:2:0 with a quality of 75.
    static func heif(_ pixels: PixelBuffer, as format: ImageFormat) throws(BenchmarkError) -> Data {
        try encode(pixels, by: "libheif") { benchmark_heif_encode($0, $1, $2, format == .avif, &$3) }
    }
}
#endif
