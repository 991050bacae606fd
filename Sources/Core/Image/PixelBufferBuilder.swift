/// Memory being filled with pixels; `finish` makes the immutable buffer of it.
///
/// Noncopyable: one owner writes, and writing after `finish` does not compile. Dropping a builder gives its memory
/// back.
public struct PixelBufferBuilder: ~Copyable {
    /// Size, format and what is known of the values.
    public let layout: PixelLayout
    private let storage: PixelStorage

    /// Memory for pixels of `layout`, all zero (transparent black).
    ///
    /// Throws `outOfMemory` when the size is empty or the memory cannot be had.
    public init(layout: PixelLayout) throws(ImageError) {
        try self.init(uninitialized: layout)
        storage.base.initializeMemory(
            as: UInt8.self, repeating: 0, count: storage.bytesPerRow * layout.size.height)
    }

    /// Memory whose contents are undefined: for those who are sure to write every row.
    init(uninitialized layout: PixelLayout) throws(ImageError) {
        self.layout = layout
        storage = try PixelStorage(layout: layout, pool: .shared)
    }

    /// Bytes from the start of one row to the start of the next; a multiple of 64.
    public var bytesPerRow: Int { storage.bytesPerRow }

    /// Lends the pixels of row `y` (0 is the top) to `body` for writing, without padding.
    public mutating func withRow<Result, Failure: Error>(
        _ y: Int, _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(y >= 0 && y < layout.size.height, "row \(y) of a buffer of \(layout.size.height) rows")
        let row = UnsafeMutableRawBufferPointer(
            start: storage.base + y * storage.bytesPerRow, count: layout.rowByteCount)
        var span = MutableRawSpan(_unsafeBytes: row)
        return try body(&span)
    }

    /// Lends all rows to `body` for writing, padding included; row `y` starts at `y * bytesPerRow`.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            UnsafeMutableRawBufferPointer(
                start: storage.base, count: storage.bytesPerRow * layout.size.height))
    }

    /// The pixels, from now on immutable.
    public consuming func finish() -> PixelBuffer {
        PixelBuffer(storage: storage, layout: layout)
    }
}
