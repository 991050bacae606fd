/// Memory that is being filled with pixels. `finish` turns it into an immutable buffer.
///
/// Builders are noncopyable: only one owner can write, and writing after `finish` does not compile. Releasing an
/// unfinished builder frees its memory.
///
/// The pixels count as neither opaque nor gray unless you pass claims to `finish`:
///
/// ```swift
/// var builder = try PixelBufferBuilder(layout: image.pixels.layout)
/// fill(&builder)
/// let made = image.replacing(pixels: builder.finish())
/// ```
public struct PixelBufferBuilder: ~Copyable {
    /// The size and the format of the pixels.
    public let layout: PixelLayout
    private let storage: PixelStorage
    /// Whether code outside the library has claimed that the pixels are opaque or gray, and the claim is unchecked.
    var hasUncheckedClaims = false

    /// Allocates memory for pixels of the size and the format of `layout`. All bytes are zero (transparent black).
    ///
    /// The claims of `layout` to be opaque or gray are ignored: pass such claims to `finish`. Throws `outOfMemory` if
    /// the size is empty or the memory cannot be allocated.
    public init(layout: PixelLayout) throws(ImageError) {
        try self.init(PixelLayout(size: layout.size, format: layout.format), isZeroed: true)
    }

    /// Allocates memory for pixels of `layout`. If the layout states that the pixels are opaque or gray, the caller
    /// must write only such pixels.
    /// - Parameter isZeroed: Whether all bytes are set to zero. If false, their contents are undefined.
    init(_ layout: PixelLayout, isZeroed: Bool) throws(ImageError) {
        try self.init(uninitialized: layout)
        guard isZeroed else { return }
        storage.base.initializeMemory(
            as: UInt8.self, repeating: 0, count: storage.bytesPerRow * layout.size.height)
    }

    /// Allocates memory with a copy of `pixels`, to draw on.
    ///
    /// Claims that the pixels are opaque or gray are not kept, because what is drawn may change that: pass them to
    /// `finish`. Throws `outOfMemory`.
    public init(copying pixels: PixelBuffer) throws(ImageError) {
        try self.init(uninitialized: PixelLayout(size: pixels.size, format: pixels.format))
        withUnsafeMutableBytes { target in
            pixels.withUnsafeBytes { target.copyMemory(from: $0) }
        }
    }

    /// Allocates memory for pixels that are computed from `pixels`. Its contents are undefined; the caller must write
    /// every row. If `layout` states that the pixels are opaque or gray, this must follow from the claims of `pixels`.
    package init(mapping pixels: PixelBuffer, to layout: PixelLayout) throws(ImageError) {
        try self.init(uninitialized: layout)
        hasUncheckedClaims = pixels.hasUncheckedClaims
    }

    /// Allocates memory whose contents are undefined, for callers that write every row.
    init(uninitialized layout: PixelLayout) throws(ImageError) {
        self.layout = layout
        storage = try PixelStorage(layout: layout, pool: .shared)
    }

    /// The number of bytes from the start of a row to the start of the next one, a multiple of 64.
    public var bytesPerRow: Int { storage.bytesPerRow }

    /// Calls `body` with the pixels of row `y` (0 is the top) for writing, without padding.
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

    /// Calls `body` with all rows for writing, including padding. Row `y` starts at `y * bytesPerRow`. The pointer is
    /// valid only until `body` returns.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            UnsafeMutableRawBufferPointer(
                start: storage.base, count: storage.bytesPerRow * layout.size.height))
    }

    /// Returns the pixels as an immutable buffer.
    ///
    /// Claims about the pixels make files smaller and encoding faster. The library checks the claims before the pixels
    /// are encoded or stored, and earlier in some cases. A false claim is dropped. For a still or the first frame of an
    /// animation, an event with the code `falseClaim` reports it.
    /// - Parameters:
    ///   - isOpaque: Whether every pixel is opaque. Default: false, which means no claim.
    ///   - isGray: Whether red, green and blue are equal in every pixel. Default: false, which means no claim.
    public consuming func finish(isOpaque: Bool = false, isGray: Bool = false) -> PixelBuffer {
        var layout = layout
        layout.isOpaque = layout.isOpaque || isOpaque
        layout.isGray = layout.isGray || isGray
        return PixelBuffer(
            storage: storage, layout: layout, hasUncheckedClaims: hasUncheckedClaims || isOpaque || isGray)
    }
}
