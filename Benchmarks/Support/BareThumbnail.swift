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

/// The least that anybody must do for a JPEG thumbnail of a file: decode it with the library of its format, at the
/// scale that leaves twice the thumbnail, and encode as many pixels as the thumbnail has.
final class BareThumbnail {
    private let file: Data
    private let thumbnail: PixelBuffer
    private let quality: Int
    /// Nil for a PNG.
    private let jpeg: (reader: BareJPEG, divisor: Int)?

    init(_ file: Data, thumbnail: Image, quality: Int) async throws {
        self.file = file
        self.thumbnail = thumbnail.pixels
        self.quality = quality
        let info = try await ImageManager(plugins: [.standard]).info(of: file)
        guard info.format == .jpeg else {
            jpeg = nil
            return
        }
        let shown = info.orientation.displaySize(of: info.pixelSize)
        let factor = min(shown.width / thumbnail.width, shown.height / thumbnail.height)
        let divisor = [8, 4, 2].first { factor >= 2 * $0 }
        jpeg = (BareJPEG(info.pixelSize), divisor ?? 1)
    }

    func run() throws(BenchmarkError) {
        if let jpeg {
            try jpeg.reader.decode(file, divisor: jpeg.divisor)
        } else {
            try decodePNG()
        }
        _ = try BareJPEG.encode(thumbnail, quality: quality)
    }

    private func decodePNG() throws(BenchmarkError) {
        let pixels = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
            var (width, height): (UInt32, UInt32) = (0, 0)
            return benchmark_png_decode(bytes.baseAddress, bytes.count, &width, &height)
        }
        guard let pixels else { throw BenchmarkError("libpng refused the picture") }
        free(pixels)
    }
}
#endif
