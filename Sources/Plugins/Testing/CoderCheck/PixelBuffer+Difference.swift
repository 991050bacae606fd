import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension PixelBuffer {
    /// Where these pixels differ from others, as what they "are"; nil where they are the same.
    func difference(from other: PixelBuffer) -> String? {
        guard size == other.size, format == other.format else {
            return "are \(size) in \(format), not \(other.size) in \(other.format)"
        }
        let rowByteCount = layout.rowByteCount
        let row = withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int? in
            other.withUnsafeBytes { (otherBytes: UnsafeRawBufferPointer) -> Int? in
                guard let base = bytes.baseAddress, let otherBase = otherBytes.baseAddress else { return nil }
                return (0..<height).first { y in
                    memcmp(base + y * bytesPerRow, otherBase + y * other.bytesPerRow, rowByteCount) != 0
                }
            }
        }
        return row.map { "are others in row \($0) of \(height)" }
    }

    /// The first pixel for which a statement does not hold, as its column and row.
    func firstPixel(not holds: (PixelColor) -> Bool) -> (x: Int, y: Int)? {
        for y in 0..<height {
            for x in 0..<width where !holds(color(x: x, y: y)) { return (x, y) }
        }
        return nil
    }
}
