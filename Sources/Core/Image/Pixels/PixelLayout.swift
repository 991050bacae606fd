/// The shape of a block of pixels, known before the first of them is.
public struct PixelLayout: Hashable, Sendable {
    /// Width and height in pixels.
    public var size: PixelSize
    /// The memory layout of each pixel.
    public var format: PixelFormat
    /// Whether every alpha value is known to be full. False also means that it is not known.
    public var isOpaque: Bool
    /// Whether red, green and blue are known to be equal everywhere, so that an encoder may write one channel.
    public var isGray: Bool

    /// A layout; neither opaque nor gray unless told. A decoder tells its sink; pixels that are made with a
    /// ``PixelBufferBuilder`` are told of when it finishes.
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
