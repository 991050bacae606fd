/// Memory that is being filled with pixels; `finish` makes it an immutable buffer.
///
/// Builders are noncopyable: one owner writes, and writing after `finish` does not compile. Dropping a builder gives
/// its memory back.
///
/// Nothing is known about the pixels unless you pass it to `finish`:
///
/// ```swift
/// var builder = try PixelBufferBuilder(layout: image.pixels.layout)
/// fill(&builder)
/// let made = image.replacing(pixels: builder.finish())
/// ```
public struct PixelBufferBuilder: ~Copyable {
    /// The size and the format. Claims about other pixels of this layout do not carry over.
    public let layout: PixelLayout
    private let storage: PixelStorage
    /// Whether the layout holds claims that code outside the library has made.
    var hasUncheckedClaims = false

    /// Allocates memory for pixels of the size and the format of `layout`, all zero (transparent black).
    ///
    /// The layout's claims to be opaque or gray are ignored: make them when the pixels are complete, to `finish`.
    /// Throws `outOfMemory` if the size is empty or the memory cannot be had.
    public init(layout: PixelLayout) throws(ImageError) {
        try self.init(PixelLayout(size: layout.size, format: layout.format), isZeroed: true)
    }

    /// Allocates memory that is all zero, or else undefined, and keeps the claims of `layout`, which the caller knows
    /// to be true.
    init(_ layout: PixelLayout, isZeroed: Bool) throws(ImageError) {
        try self.init(uninitialized: layout)
        guard isZeroed else { return }
        storage.base.initializeMemory(
            as: UInt8.self, repeating: 0, count: storage.bytesPerRow * layout.size.height)
    }

    /// Allocates memory whose contents are undefined, for callers that write every row.
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
        precondition(
            y >= 0 && y < layout.size.height, "row \(y) does not exist in a buffer of \(layout.size.height) rows")
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

    /// Returns the pixels, which are immutable from now on.
    ///
    /// Claims about them make files smaller and encoding faster. They are checked before the pixels are shown or
    /// stored; a false claim is dropped and reported by an event of the code `falseClaim`.
    /// - Parameters:
    ///   - isOpaque: Whether every alpha value is full. Default: false, which also means that it is not known.
    ///   - isGray: Whether red, green and blue are equal everywhere. Default: false, which also means that it is not
    ///     known.
    public consuming func finish(isOpaque: Bool = false, isGray: Bool = false) -> PixelBuffer {
        var layout = layout
        layout.isOpaque = layout.isOpaque || isOpaque
        layout.isGray = layout.isGray || isGray
        return PixelBuffer(
            storage: storage, layout: layout, hasUncheckedClaims: hasUncheckedClaims || isOpaque || isGray)
    }
}
