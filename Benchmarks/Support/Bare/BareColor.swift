#if COLOR
import BenchmarkFloors
import CalotypeStandard

/// Little CMS called from C: a transform from Display P3 to sRGB.
final class BareColor {
    private let transform: UnsafeMutableRawPointer

    /// Creates a transform for RGBA with channels of eight or 16 bits.
    init(_ profile: Data, _ format: PixelFormat) throws(BenchmarkError) {
        let transform = profile.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            benchmark_color_transform(bytes.baseAddress, bytes.count, format.bytesPerPixel / 4)
        }
        guard let transform else { throw BenchmarkError("Little CMS made no transform") }
        self.transform = transform
    }

    deinit { benchmark_color_free(transform) }

    /// Converts pixels in place.
    func convert(_ pixels: UnsafeMutableRawBufferPointer, _ format: PixelFormat) {
        guard let first = pixels.baseAddress else { return }
        benchmark_color_convert(transform, first, pixels.count / format.bytesPerPixel)
    }

    /// Returns an ICC profile of Display P3.
    static func profile() throws(BenchmarkError) -> Data {
        var count = 0
        guard let bytes = benchmark_p3_profile(&count) else { throw BenchmarkError("Little CMS made no profile") }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
#endif
