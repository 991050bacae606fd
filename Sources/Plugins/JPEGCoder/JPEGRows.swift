#if JPEG
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The rows of a picture as far as they have come, from the top. Memory that no row has reached costs nothing.
final class JPEGRows {
    /// The number of rows.
    private(set) var count = 0

    private let base: UnsafeMutableRawPointer
    private let rowByteCount: Int

    /// Room for a picture. Throws `outOfMemory`.
    init(size: PixelSize) throws(ImageError) {
        rowByteCount = PixelLayout(size: size).rowByteCount
        guard let base = calloc(size.height, rowByteCount) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for a preview of \(size) pixels",
                advice: "do less at once, or lower the limit `maxPixels`")
        }
        self.base = base
    }

    deinit { free(base) }

    /// Has the next row filled.
    /// - Parameter fill: Given the row's number and memory; says whether it was there.
    /// - Returns: What `fill` says.
    func appendRow(_ fill: (Int, UnsafeMutableRawBufferPointer) throws -> Bool) rethrows -> Bool {
        let row = UnsafeMutableRawBufferPointer(start: base + count * rowByteCount, count: rowByteCount)
        guard try fill(count, row) else { return false }
        count += 1
        return true
    }

    /// Copies row `y`; one that has not come is zeros: transparent, or without ink.
    func copyRow(_ y: Int, to target: UnsafeMutableRawBufferPointer) {
        if y < count {
            target.copyMemory(from: UnsafeRawBufferPointer(start: base + y * rowByteCount, count: rowByteCount))
        } else {
            target.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
#endif
