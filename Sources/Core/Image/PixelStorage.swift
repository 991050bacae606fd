/// The memory of a pixel buffer: taken from a pool, given back when the last buffer that shares it goes.
final class PixelStorage: @unchecked Sendable {
    // Sound because the memory is written by one builder, which nobody else can see (it is noncopyable and this object
    // is not yet shared), and only read after the builder has been consumed.
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
