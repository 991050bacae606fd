/// Immutable pixels in memory.
///
/// All copies share the same memory, so copying is cheap. Rows start at multiples of 64 bytes; the bytes after the last
/// pixel of a row are padding without meaning. The memory comes from a pool, and returns to the pool when the last copy
/// is released.
public struct PixelBuffer: Sendable {
    let storage: PixelStorage
    /// The size and the format of the pixels, and whether they are claimed to be opaque or gray.
    public let layout: PixelLayout
    /// Whether code outside the library has claimed that the pixels are opaque or gray, and the claim is unchecked.
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
    /// Whether the pixels are known or claimed to be opaque. If false, they may still be opaque.
    ///
    /// Code outside the library, such as a coder, can make a false claim. Such a claim is found and dropped when the
    /// image is encoded or stored.
    public var isOpaque: Bool { layout.isOpaque }
    /// Whether red, green and blue are known or claimed to be equal in every pixel. If false, they may still be equal.
    ///
    /// Code outside the library, such as a coder, can make a false claim. Such a claim is found and dropped when the
    /// image is encoded or stored.
    public var isGray: Bool { layout.isGray }
    /// The number of bytes from the start of a row to the start of the next one, a multiple of 64.
    public var bytesPerRow: Int { storage.bytesPerRow }
    /// The bytes of memory that the pixels take, including padding.
    public var byteCount: Int { storage.bytesPerRow * height }

    /// Calls `body` with the pixels of row `y` (0 is the top), without padding.
    public func withRow<Result, Failure: Error>(
        _ y: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(y >= 0 && y < height, "row \(y) does not exist in a buffer of \(height) rows")
        let row = UnsafeRawBufferPointer(
            start: storage.base + y * storage.bytesPerRow, count: layout.rowByteCount)
        return try body(RawSpan(_unsafeBytes: row))
    }

    /// Calls `body` with all rows, including padding. Row `y` starts at `y * bytesPerRow`.
    ///
    /// Use this for C libraries that need a pointer to all pixels. The pointer is valid only until `body` returns.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: storage.base, count: byteCount))
    }

    /// Returns the pixel at column `x` of row `y`, with straight alpha. Each channel is from 0 to 1 in the integer
    /// formats. In the floating-point format, it can be outside this range.
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
