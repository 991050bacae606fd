/// The size and format of pixels, and claims that they are opaque or gray. A layout is known before the first pixel is
/// decoded.
public struct PixelLayout: Hashable, Sendable {
    /// Width and height in pixels.
    public var size: PixelSize
    /// The memory layout of each pixel.
    public var format: PixelFormat
    /// Whether every pixel is claimed to be opaque. If false, all pixels may still be opaque.
    public var isOpaque: Bool
    /// Whether red, green and blue are claimed to be equal in every pixel, so that an encoder can write a single
    /// channel. If false, they may still be equal.
    public var isGray: Bool

    /// Creates a layout; by default without claims to be opaque or gray.
    ///
    /// A decoder passes a layout with claims to its sink. For pixels that are made with a ``PixelBufferBuilder``, pass
    /// claims to its `finish`.
    public init(size: PixelSize, format: PixelFormat = .rgba8, isOpaque: Bool = false, isGray: Bool = false) {
        self.size = size
        self.format = format
        self.isOpaque = isOpaque
        self.isGray = isGray
    }

    /// The number of bytes of the pixels of one row, without padding. If the number overflows, the value is `Int.max`.
    public var rowByteCount: Int {
        let (count, overflow) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        return overflow ? .max : count
    }
}
