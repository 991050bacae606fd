/// The memory of a pixel buffer. It is taken from a pool, and given back when the last buffer that shares it is
/// released.
///
/// The pixels are written by one owner while nothing else references the object. While the object is shared, they are
/// only read.
final class PixelStorage: Sendable {
    /// The first byte of the first row.
    ///
    /// `nonisolated(unsafe)` is sound: the address is constant, and no thread writes to the memory while another one
    /// uses it.
    /// - `PixelBufferBuilder` is noncopyable and keeps the object private until `finish` consumes the builder. After
    ///   that, nothing can write through the builder. `RowTarget` owns a builder, and keeps pointers to its memory.
    ///   Only the `RowPipeline` that owns the target uses them, itself and through its resampler, and the decoder that
    ///   it runs in spans that it lends. `RowPipeline.finish` consumes the pipeline: it ends the resampler before it
    ///   gives up the builder, and uses no pointer after that.
    /// - `Canvas` lends memory to draw on only while it has the only reference to the object
    ///   (`isKnownUniquelyReferenced`); otherwise it traps. `detach` copies shared memory before drawing. `CanvasSink`
    ///   keeps a pointer to the memory of a canvas, but only draws on it before `FrameComposer` takes the canvas back
    ///   and makes pictures that share it. No weak reference to the object exists that could become a second reference.
    ///   The memory cache has weak references to images. As long as such a reference can return its image, the image
    ///   retains its pixels, which counts as a second reference.
    /// - `PixelBuffer`, which gets the object from a builder or a canvas, lends the memory only for reading.
    /// - Rows are lent as spans, which cannot escape from the closure that gets them. The only pointers that are lent
    ///   come from `withUnsafeBytes` and `withUnsafeMutableBytes`. Their documentation ends the use of a pointer with
    ///   the closure, as for the functions of the same names in the standard library.
    /// - The pool gives a block to one taker at a time, and gets it back in `deinit`, when no reference is left.
    /// - All reads through a reference come before its release. A release comes before `deinit`, and before a later
    ///   `isKnownUniquelyReferenced` that returns true. Every type with copy-on-write depends on this order.
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
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
