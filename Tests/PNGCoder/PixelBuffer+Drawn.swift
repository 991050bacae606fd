#if PNG
import Calotype

extension PixelBuffer {
    /// Creates 8-bit pixels from the red, green, blue and alpha at each position. Their layout claims nothing unless it
    /// is given.
    static func drawn(
        _ width: Int, _ height: Int, isOpaque: Bool = false, isGray: Bool = false,
        _ color: (_ x: Int, _ y: Int) -> [UInt8]
    ) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(width: width, height: height)))
        for y in 0..<height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<width {
                    let color = color(x, y)
                    for channel in color.indices {
                        row.storeBytes(of: color[channel], toByteOffset: 4 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
        return builder.finish(isOpaque: isOpaque, isGray: isGray)
    }

    /// Returns the same pixels with a layout that claims nothing.
    func untold() throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: format))
        for y in 0..<height {
            builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                target.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) -> Void in
                    withRow(y) { (row: RawSpan) -> Void in
                        row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in target.copyMemory(from: row) }
                    }
                }
            }
        }
        return builder.finish()
    }
}
#endif
