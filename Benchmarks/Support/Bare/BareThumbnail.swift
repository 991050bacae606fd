#if JPEG && PNG
import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The least work for a JPEG thumbnail of a file: decoding with the format's library, at the scale that leaves twice
/// the thumbnail, and encoding as many pixels as the thumbnail has.
final class BareThumbnail {
    private let file: Data
    private let thumbnail: PixelBuffer
    private let quality: Int
    /// Decodes the file.
    private let decode: (Data) throws(BenchmarkError) -> Void

    init(_ file: Data, thumbnail: Image, quality: Int) async throws {
        self.file = file
        self.thumbnail = thumbnail.pixels
        self.quality = quality
        let info = try await ImageManager(plugins: [.standard]).info(of: file)
        switch info.format {
        case .jpeg:
            let shown = info.orientation.displaySize(of: info.pixelSize)
            let factor = min(shown.width / thumbnail.width, shown.height / thumbnail.height)
            let divisor = [8, 4, 2].first { factor >= 2 * $0 } ?? 1
            let reader = BareJPEG(info.pixelSize)
            decode = { file throws(BenchmarkError) in try reader.decode(file, divisor: divisor) }
        #if WEBP
        case .webp: decode = BareLibrary.webp(info.pixelSize).decode
        #endif
        #if GIF
        case .gif: decode = BareLibrary.gifFrames(info.pixelSize, count: 1, areCopied: false).decode
        #endif
        #if HEIF
        case .avif: decode = BareLibrary.heif(info.pixelSize).decode
        #endif
        default: decode = Self.decodePNG
        }
    }

    func run() throws(BenchmarkError) {
        try decode(file)
        _ = try BareJPEG.encode(thumbnail, quality: quality)
    }

    private static func decodePNG(_ file: Data) throws(BenchmarkError) {
        let pixels = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
            var (width, height): (UInt32, UInt32) = (0, 0)
            return benchmark_png_decode(bytes.baseAddress, bytes.count, &width, &height)
        }
        guard let pixels else { throw BenchmarkError("libpng could not decode the picture") }
        free(pixels)
    }
}
#endif
