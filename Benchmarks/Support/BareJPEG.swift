#if JPEG
import BenchmarkFloors
import CalotypeStandard

/// libjpeg-turbo called from C. Keeps the memory for pixels, as the library does with its own, and like that it begins
/// at a multiple of 64 bytes: libjpeg-turbo writes past the processor's cache where it does, which is slower for
/// pictures of less than a megapixel and faster for others.
final class BareJPEG {
    private let memory: UnsafeMutableRawBufferPointer

    /// For pictures of a size at most.
    init(_ size: PixelSize) {
        memory = .allocate(byteCount: size.width * size.height * 4, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Decodes a file, divided by 1, 2, 4 or 8; the size.
    @discardableResult
    func decode(_ file: Data, divisor: Int = 1) throws(BenchmarkError) -> PixelSize {
        let size = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> benchmark_size in
            benchmark_jpeg_decode(bytes.baseAddress, bytes.count, UInt32(divisor), memory.baseAddress, memory.count)
        }
        guard size.width > 0 else { throw BenchmarkError("libjpeg-turbo refused the picture") }
        return PixelSize(Int(size.width), Int(size.height))
    }

    /// What was decoded last, in a size.
    func bytes(_ size: PixelSize) -> Data {
        Data(memory[..<(size.width * size.height * 4)])
    }

    /// Decodes a file so often, on so many threads, for pictures of a size at most.
    static func decode(
        _ file: Data, divisor: Int, into size: PixelSize, times: Int, threadCount: Int
    ) throws(BenchmarkError) {
        let isDone = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            benchmark_jpeg_decode_often(
                bytes.baseAddress, bytes.count, UInt32(divisor), size.width * size.height * 4, times, threadCount)
        }
        guard isDone else { throw BenchmarkError("libjpeg-turbo refused the picture") }
    }

    /// Encodes opaque pixels as 4:2:0 with a quality of 1...100.
    static func encode(_ pixels: PixelBuffer, quality: Int) throws(BenchmarkError) -> Data {
        try BareLibrary.encode(pixels, by: "libjpeg-turbo") {
            benchmark_jpeg_encode($0, $1, $2, Int32(quality), &$3)
        }
    }
}
#endif
