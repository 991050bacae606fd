/// The size and format of a block of pixels, and claims about their values. Known before the first pixel.
public struct PixelLayout: Hashable, Sendable {
    /// Width and height in pixels.
    public var size: PixelSize
    /// The memory layout of each pixel.
    public var format: PixelFormat
    /// Whether every alpha value is known to be full. False also means that it is not known.
    public var isOpaque: Bool
    /// Whether red, green and blue are known to be equal everywhere, so that an encoder may write one channel.
    public var isGray: Bool

    /// Creates a layout; by default neither opaque nor gray.
    ///
    /// A decoder makes claims to its sink in this way. Claims about pixels that are made with a ``PixelBufferBuilder``
    /// are passed to its `finish`.
    public init(size: PixelSize, format: PixelFormat = .rgba8, isOpaque: Bool = false, isGray: Bool = false) {
        self.size = size
        self.format = format
        self.isOpaque = isOpaque
        self.isGray = isGray
    }

    /// Bytes of a row's pixels, without padding.
    public var rowByteCount: Int {
        let (count, overflow) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        return overflow ? .max : count
    }
}
