/// The memory of a pixel buffer: taken from a pool, given back when the last buffer that shares it goes.
///
/// `@unchecked Sendable` is sound because writing ends before sharing begins. Only `PixelBufferBuilder` creates this
/// object. It is noncopyable, and keeps the object private until `finish` consumes it; the memory is written through
/// the builder, or through pointers that its only owner has taken from it (`RowTarget`) and uses no more after
/// `finish`. `PixelBuffer`, which gets the object then, only reads. The pool gives a block to one taker at a time and
/// takes it back in `deinit`, when no reference is left. The properties are constants; the pool is `Sendable`.
final class PixelStorage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let bytesPerRow: Int
    private let capacity: Int
    private let pool: PixelPool

    /// Memory for pixels of `layout`; its contents are undefined.
    init(layout: PixelLayout, pool: PixelPool) throws(ImageError) {
        let (padded, overflow1) = layout.rowByteCount.addingReportingOverflow(63)
        bytesPerRow = padded & ~63
        let (count, overflow2) = bytesPerRow.multipliedReportingOverflow(by: layout.size.height)
        guard !layout.size.isEmpty, !overflow1, !overflow2, let (base, capacity) = pool.take(count) else {
            throw ImageError(
                .outOfMemory, stage: .decode,
                message: "no memory for \(layout.size) pixels of \(layout.format.bytesPerPixel) bytes",
                advice: "ask for a thumbnail, or lower the limit `maxPixels`")
        }
        self.base = base
        self.capacity = capacity
        self.pool = pool
    }

    deinit { pool.giveBack(base, capacity: capacity) }
}
