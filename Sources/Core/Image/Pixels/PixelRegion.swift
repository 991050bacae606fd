/// A rectangle of pixels within a picture.
public struct PixelRegion: Sendable, Hashable {
    /// Pixels to the left of it.
    public var x: Int
    /// Pixels above it.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// A rectangle, at the top left unless told.
    public init(x: Int = 0, y: Int = 0, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// Whether all of it, and at least one pixel, lies within a picture of size `canvas`.
    public func isInside(_ canvas: PixelSize) -> Bool {
        // Subtracted, not added: a file can say numbers whose sums overflow.
        x >= 0 && y >= 0 && size.width > 0 && size.height > 0
            && size.width <= canvas.width && x <= canvas.width - size.width
            && size.height <= canvas.height && y <= canvas.height - size.height
    }
}
