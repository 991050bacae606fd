#if JPEG
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The rows of a picture that have arrived, from the top.
///
/// The memory of later rows is allocated but not touched, so the system does not have to provide it.
final class JPEGRows {
    /// The number of rows that have arrived.
    private(set) var count = 0

    private let base: UnsafeMutableRawPointer
    private let rowByteCount: Int

    /// Allocates memory for all rows of a picture. Throws `outOfMemory` if that fails.
    init(size: PixelSize) throws(ImageError) {
        rowByteCount = PixelLayout(size: size).rowByteCount
        guard let base = calloc(size.height, rowByteCount) else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for a preview of \(size) pixels",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        self.base = base
    }

    deinit { free(base) }

    /// Appends the row that `fill` writes, unless `fill` returns false. `fill` gets the number and the memory of the
    /// row. Returns the result of `fill`.
    func appendRow(_ fill: (Int, UnsafeMutableRawBufferPointer) throws -> Bool) rethrows -> Bool {
        let row = UnsafeMutableRawBufferPointer(start: base + count * rowByteCount, count: rowByteCount)
        guard try fill(count, row) else { return false }
        count += 1
        return true
    }

    /// Copies the row with the number `y`, or zeros if it has not arrived. Zeros mean transparent pixels or no ink.
    func copyRow(_ y: Int, to target: UnsafeMutableRawBufferPointer) {
        if y < count {
            target.copyMemory(from: UnsafeRawBufferPointer(start: base + y * rowByteCount, count: rowByteCount))
        } else {
            target.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
#endif
