/// The picture that the frames of an animation are drawn on, as stored and in the file's own colours.
///
/// Used by one thread at a time.
final class Canvas {
    /// Size and format; what is known of the values is not said here.
    let layout: PixelLayout
    /// Whether red, green and blue are known to be equal everywhere.
    var isGray = true

    /// Owns the memory.
    private let builder: PixelBufferBuilder
    private let base: UnsafeMutableRawPointer
    private let bytesPerRow: Int

    /// An empty canvas: transparent everywhere.
    convenience init(size: PixelSize, format: PixelFormat) throws(ImageError) {
        self.init(try PixelBufferBuilder(layout: PixelLayout(size: size, format: format)))
    }

    /// A canvas with these pixels.
    convenience init(_ pixels: PixelBuffer) throws(ImageError) {
        let layout = PixelLayout(size: pixels.size, format: pixels.format)
        self.init(try PixelBufferBuilder(uninitialized: layout))
        isGray = pixels.isGray
        put(pixels, at: PixelRegion(size: pixels.size))
    }

    private init(_ memory: consuming PixelBufferBuilder) {
        layout = memory.layout
        bytesPerRow = memory.bytesPerRow
        base = memory.withUnsafeMutableBytes { $0.baseAddress! }
        builder = memory
    }

    /// The memory from column `x` of row `y` to the end of the row; valid as long as the canvas is.
    func memory(x: Int, y: Int) -> UnsafeMutableRawPointer {
        base + y * bytesPerRow + x * layout.format.bytesPerPixel
    }

    /// Makes a region transparent.
    func clear(_ region: PixelRegion) {
        let byteCount = region.size.width * layout.format.bytesPerPixel
        for y in region.y..<region.y + region.size.height {
            memory(x: region.x, y: y).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        }
    }

    /// What a region holds.
    func pixels(in region: PixelRegion) throws(ImageError) -> PixelBuffer {
        let layout = PixelLayout(size: region.size, format: layout.format, isGray: isGray)
        var builder = try PixelBufferBuilder(uninitialized: layout)
        for y in 0..<region.size.height {
            builder.withRow(y) { row in
                copyRow(region.y + y, from: region.x, into: &row)
            }
        }
        return builder.finish()
    }

    /// Copies a part of row `y`, from column `x` on, as much as fits `target`.
    func copyRow(_ y: Int, from x: Int = 0, into target: inout MutableRawSpan) {
        let source = memory(x: x, y: y)
        target.withUnsafeMutableBytes { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: target.count))
        }
    }

    /// Makes a region hold `pixels`, of its size and of the canvas's format.
    func put(_ pixels: PixelBuffer, at region: PixelRegion) {
        for y in 0..<region.size.height {
            let target = memory(x: region.x, y: region.y + y)
            pixels.withRow(y) { row in
                row.withUnsafeBytes { target.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            }
        }
    }
}
