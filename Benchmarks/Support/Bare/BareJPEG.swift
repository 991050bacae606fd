#if JPEG
import BenchmarkFloors
import CalotypeStandard

/// libjpeg-turbo called from C. It reuses the memory for pixels, as the library does. That memory also begins at a
/// multiple of 64 bytes: libjpeg-turbo then bypasses the processor's cache when it writes, which is slower for pictures
/// below a megapixel and faster for others.
final class BareJPEG {
    private let memory: UnsafeMutableRawBufferPointer

    /// Creates a decoder for pictures up to a size.
    init(_ size: PixelSize) {
        memory = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Decodes a file, divided by 1, 2, 4 or 8. Returns the size.
    @discardableResult
    func decode(_ file: Data, divisor: Int = 1) throws(BenchmarkError) -> PixelSize {
        let size = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> benchmark_size in
            benchmark_jpeg_decode(bytes.baseAddress, bytes.count, UInt32(divisor), memory.baseAddress, memory.count)
        }
        guard size.width > 0 else { throw BenchmarkError("libjpeg-turbo could not decode the picture") }
        return PixelSize(Int(size.width), Int(size.height))
    }

    /// Returns the pixels that were decoded last, at a size.
    func bytes(_ size: PixelSize) -> Data {
        Data(memory[..<(size.width * size.height * 4)])
    }

    /// Decodes a file `times` times on `threadCount` threads, for pictures up to a size.
    static func decode(
        _ file: Data, divisor: Int, into size: PixelSize, times: Int, threadCount: Int
    ) throws(BenchmarkError) {
        let isDone = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            benchmark_jpeg_decode_often(
                bytes.baseAddress, bytes.count, UInt32(divisor), size.width * size.height * 4, times, threadCount)
        }
        guard isDone else { throw BenchmarkError("libjpeg-turbo could not decode the picture") }
    }

    /// Encodes opaque pixels as 4:2:0 with a quality of 1...100.
    static func encode(_ pixels: PixelBuffer, quality: Int) throws(BenchmarkError) -> Data {
        try BareLibrary.encode(pixels, by: "libjpeg-turbo") {
            benchmark_jpeg_encode($0, $1, $2, Int32(quality), &$3)
        }
    }
}
#endif
