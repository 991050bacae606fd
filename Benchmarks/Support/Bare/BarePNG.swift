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

/// libpng called from C.
enum BarePNG {
    /// Decodes a picture of this size. Returns pixels to be released with `free`.
    static func decode(_ file: Data, _ size: PixelSize) throws(BenchmarkError) -> UnsafeMutablePointer<UInt8> {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let pixels = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
            benchmark_png_decode(bytes.baseAddress, bytes.count, &width, &height)
        }
        guard let pixels else { throw BenchmarkError("libpng could not decode the picture") }
        guard Int(width) == size.width, Int(height) == size.height else {
            free(pixels)
            throw BenchmarkError("libpng decoded a picture with the wrong size")
        }
        return pixels
    }

    /// Encodes rows with the library's default compression.
    static func encode(_ rows: PNGRows) throws(BenchmarkError) -> Data {
        try rows.encoded(by: "libpng") { benchmark_png_encode($0, &$1) }
    }
}
#endif
