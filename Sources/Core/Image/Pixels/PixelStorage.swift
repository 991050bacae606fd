/// The memory of a pixel buffer: taken from a pool, given back when the last buffer that shares it is released.
///
/// `@unchecked Sendable` is sound: the properties are constants of `Sendable` types, except for the pointer. The memory
/// behind it is written by one owner while nothing else references the object, and only read while it is shared.
/// - `PixelBufferBuilder` is noncopyable and keeps the object private until `finish` consumes the builder. After that,
///   nothing can write through the builder. `RowTarget` owns a builder, and uses no pointers to the builder's memory
///   after it has given up the builder.
/// - `Canvas` writes to an object of which it has the only reference (`isKnownUniquelyReferenced`), or to a copy while
///   buffers share it. No weak reference can bring the object back, because none refers to it. The memory cache refers
///   weakly to images, each of which retains its pixels: an image that can be brought back is a second reference.
/// - `PixelBuffer`, which gets the object from these two, lends its memory only for reading.
/// - The pool gives a block to one taker at a time, and gets it back in `deinit`, when no reference is left.
/// - Reference counting orders all reads before the release of a reference, and so before all later writes.
final class PixelStorage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let bytesPerRow: Int
    private let capacity: Int
    private let pool: PixelPool

    /// Allocates memory for pixels of `layout`; its contents are undefined.
    init(layout: PixelLayout, pool: PixelPool) throws(ImageError) {
        let (padded, overflow1) = layout.rowByteCount.addingReportingOverflow(63)
        bytesPerRow = padded & ~63
        let (count, overflow2) = bytesPerRow.multipliedReportingOverflow(by: layout.size.height)
        guard !layout.size.isEmpty, !overflow1, !overflow2, let (base, capacity) = pool.take(count) else {
            throw ImageError(
                .outOfMemory, stage: .decode,
                message: "not enough memory for \(layout.size) pixels of \(layout.format.bytesPerPixel) bytes each",
                advice: "request a thumbnail, load fewer images at once, or raise the process's memory limit")
        }
        self.base = base
        self.capacity = capacity
        self.pool = pool
    }

    deinit { pool.giveBack(base, capacity: capacity) }
}
