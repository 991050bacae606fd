/// Pixels that no longer change.
///
/// A value over shared storage: copies cost nothing. Rows start at multiples of 64 bytes; the bytes between a row's
/// last pixel and the next row are padding without meaning. The memory comes from a pool and returns to it.
public struct PixelBuffer: Sendable {
    let storage: PixelStorage
    /// The size, the format, and claims about the values.
    public let layout: PixelLayout
    /// Whether code outside the library has claimed that the pixels are opaque or gray, and the claim was not checked
    /// yet.
    let hasUncheckedClaims: Bool

    init(storage: PixelStorage, layout: PixelLayout, hasUncheckedClaims: Bool = false) {
        self.storage = storage
        self.layout = layout
        self.hasUncheckedClaims = hasUncheckedClaims
    }

    /// Width and height in pixels.
    public var size: PixelSize { layout.size }
    /// The width in pixels.
    public var width: Int { layout.size.width }
    /// The height in pixels.
    public var height: Int { layout.size.height }
    /// The memory layout of each pixel.
    public var format: PixelFormat { layout.format }
    /// Whether every alpha value is full, as far as is known.
    ///
    /// A coder outside the library may have claimed this falsely. A false claim is found and dropped when the image is
    /// encoded or stored.
    public var isOpaque: Bool { layout.isOpaque }
    /// Whether red, green and blue are equal everywhere, as far as is known. The claim may be false, as for
    /// ``isOpaque``.
    public var isGray: Bool { layout.isGray }
    /// Bytes from the start of one row to the start of the next; a multiple of 64.
    public var bytesPerRow: Int { storage.bytesPerRow }
    /// The bytes of memory that the pixels take, including padding. A cache charges for them.
    public var byteCount: Int { storage.bytesPerRow * height }

    /// Lends the pixels of row `y` (0 is the top) to `body`, without padding.
    public func withRow<Result, Failure: Error>(
        _ y: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(y >= 0 && y < height, "row \(y) does not exist in a buffer of \(height) rows")
        let row = UnsafeRawBufferPointer(
            start: storage.base + y * storage.bytesPerRow, count: layout.rowByteCount)
        return try body(RawSpan(_unsafeBytes: row))
    }

    /// Lends all rows to `body`, padding included; row `y` starts at `y * bytesPerRow`.
    ///
    /// For C libraries that want one pointer. The pointer is valid only inside `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage.base, count: byteCount))
    }

    /// Returns the pixel at column `x` of row `y`, with straight alpha, each channel as 0...1 (float formats may exceed
    /// 1).
    public func color(x: Int, y: Int) -> PixelColor {
        precondition(x >= 0 && x < width, "column \(x) does not exist in a buffer of \(width) columns")
        precondition(y >= 0 && y < height, "row \(y) does not exist in a buffer of \(height) rows")
        let pixel = UnsafeRawPointer(storage.base) + y * storage.bytesPerRow + x * format.bytesPerPixel
        switch format {
        case .rgba8:
            let samples = pixel.assumingMemoryBound(to: UInt8.self)
            return PixelColor(
                red: Double(samples[0]) / 255, green: Double(samples[1]) / 255, blue: Double(samples[2]) / 255,
                alpha: Double(samples[3]) / 255)
        case .rgba16:
            let samples = pixel.assumingMemoryBound(to: UInt16.self)
            return PixelColor(
                red: Double(samples[0]) / 65535, green: Double(samples[1]) / 65535, blue: Double(samples[2]) / 65535,
                alpha: Double(samples[3]) / 65535)
        case .rgbaFloat:
            let samples = pixel.assumingMemoryBound(to: Float.self)
            return PixelColor(
                red: Double(samples[0]), green: Double(samples[1]), blue: Double(samples[2]), alpha: Double(samples[3]))
        }
    }
}
