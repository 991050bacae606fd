/// A rectangle of pixels within a picture.
public struct PixelRegion: Sendable, Hashable {
    /// The number of pixels to the left of the region.
    public var x: Int
    /// The number of pixels above the region.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// Creates a rectangle; by default at the top left.
    public init(x: Int = 0, y: Int = 0, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// Returns whether the region has at least one pixel and lies completely within a picture of size `canvas`.
    public func isInside(_ canvas: PixelSize) -> Bool {
        // Subtracted, not added: the sums of numbers in a file can overflow.
        x >= 0 && y >= 0 && size.width > 0 && size.height > 0
            && size.width <= canvas.width && x <= canvas.width - size.width
            && size.height <= canvas.height && y <= canvas.height - size.height
    }
}
