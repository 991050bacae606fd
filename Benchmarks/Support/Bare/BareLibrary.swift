import BenchmarkFloors
import CalotypeStandard

/// A library called from C. It reuses the memory for pixels, as Calotype does.
final class BareLibrary {
    /// Decodes a file into memory of a capacity. Returns whether the result is the expected picture.
    typealias Decode = (
        _ file: UnsafeRawPointer?, _ count: Int, _ pixels: UnsafeMutablePointer<UInt8>?, _ capacity: Int
    ) -> Bool

    let name: String
    private let decodeFile: Decode
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// Creates a decoder for pictures of this size.
    init(_ name: String, _ size: PixelSize, _ decode: @escaping Decode) {
        self.name = name
        decodeFile = decode
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.area * 4, alignment: 64)
        self.memory = memory.bindMemory(to: UInt8.self)
    }

    deinit { UnsafeMutableRawBufferPointer(memory).deallocate() }

    /// Decodes a file.
    func decode(_ file: Data) throws(BenchmarkError) {
        let isDone = file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            decodeFile(bytes.baseAddress, bytes.count, memory.baseAddress, memory.count)
        }
        guard isDone else { throw BenchmarkError("\(name) could not decode the picture") }
    }

    /// The pixels that were decoded last: red, green, blue and alpha, without padding.
    var bytes: Data { Data(memory) }

    /// Encodes pixels.
    /// - Parameter encode: Calls the library with the first row, the distance of rows and the size. Returns memory to
    ///   be released with `free`, and in the last argument its length; nil if that fails.
    static func encode(
        _ pixels: PixelBuffer, by name: String,
        _ encode: (UnsafePointer<UInt8>, Int, benchmark_size, inout Int) -> UnsafeMutablePointer<UInt8>?
    ) throws(BenchmarkError) -> Data {
        let size = benchmark_size(width: UInt32(pixels.width), height: UInt32(pixels.height))
        var count = 0
        let file = pixels.withUnsafeBytes { (rows: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? in
            guard let first = rows.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            return encode(first, pixels.bytesPerRow, size, &count)
        }
        guard let file else { throw BenchmarkError("\(name) could not encode the picture") }
        return Data(bytesNoCopy: file, count: count, deallocator: .free)
    }
}
