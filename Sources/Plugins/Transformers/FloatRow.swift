import Calotype

/// The memory for a row of pixels in floating point, in which a transformer changes pixels of every format.
final class FloatRow {
    private let memory: RowMemory<Float>
    private let pixelCount: Int

    /// Allocates memory for at most `pixelCount` pixels. Throws `outOfMemory`.
    init(pixelCount: Int) throws(ImageError) {
        self.pixelCount = pixelCount
        memory = try RowMemory(count: pixelCount * 4)
    }

    /// Calls `body` with some pixels of a row as floats: red, green, blue and straight alpha. Writes what `body`
    /// leaves.
    /// - Parameters:
    ///   - row: The row.
    ///   - columns: The pixels.
    ///   - format: The format of the row.
    func change(
        _ row: UnsafeMutableRawBufferPointer, columns: Range<Int>, of format: PixelFormat,
        _ body: (_ pixels: UnsafeMutableBufferPointer<SIMD4<Float>>) -> Void
    ) {
        precondition(columns.count <= pixelCount, "the row has too many pixels")
        let start = row.baseAddress! + columns.lowerBound * format.bytesPerPixel
        PixelFormat.rgbaFloat.convert(start, from: format, to: memory.base, pixelCount: columns.count)
        memory.base.withMemoryRebound(to: SIMD4<Float>.self, capacity: columns.count) { pixels in
            body(UnsafeMutableBufferPointer(start: pixels, count: columns.count))
        }
        format.convert(memory.base, from: .rgbaFloat, to: start, pixelCount: columns.count)
    }
}
