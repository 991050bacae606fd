import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PixelBuffer {
    /// Returns a description of the first difference between the pixels, such as "differ in row 3 of 10"; nil for none.
    /// - Parameter rowCount: The number of rows to compare, from the top; nil for all.
    func difference(from other: PixelBuffer, rowCount: Int? = nil) -> String? {
        guard size == other.size, format == other.format else {
            return "are \(size) in \(format), not \(other.size) in \(other.format)"
        }
        let rowByteCount = layout.rowByteCount
        let row = withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int? in
            other.withUnsafeBytes { (otherBytes: UnsafeRawBufferPointer) -> Int? in
                guard let base = bytes.baseAddress, let otherBase = otherBytes.baseAddress else { return nil }
                return (0..<min(height, rowCount ?? height)).first { y in
                    memcmp(base + y * bytesPerRow, otherBase + y * other.bytesPerRow, rowByteCount) != 0
                }
            }
        }
        return row.map { "differ in row \($0) of \(height)" }
    }

    /// The mean value of each channel over all pixels, from 0 to 1. Red, green and blue are multiplied by alpha.
    var meanLight: SIMD4<Double> {
        // A plain loop is used, because vectors and sequences are slow without optimization.
        var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
        for y in 0..<height {
            var x = 0
            while x < width {
                let color = color(x: x, y: y)
                red += color.red * color.alpha
                green += color.green * color.alpha
                blue += color.blue * color.alpha
                alpha += color.alpha
                x += 1
            }
        }
        return SIMD4(red, green, blue, alpha) / Double(max(1, size.area))
    }

    /// Returns the column and row of the first pixel that does not satisfy a condition; nil if there is none.
    func firstPixel(not holds: (PixelColor) -> Bool) -> (x: Int, y: Int)? {
        for y in 0..<height {
            var x = 0
            while x < width {
                guard holds(color(x: x, y: y)) else { return (x, y) }
                x += 1
            }
        }
        return nil
    }
}
