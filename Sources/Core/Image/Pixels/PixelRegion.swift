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

    /// Returns the part of the region that lies within a picture of size `canvas`; nil if there is none.
    public func intersection(with canvas: PixelSize) -> PixelRegion? {
        func covered(_ start: Int, _ length: Int, _ whole: Int) -> Range<Int>? {
            // A sum that overflows is beyond the canvas.
            let (end, overflow) = start.addingReportingOverflow(length)
            let first = max(start, 0)
            let last = overflow ? whole : min(end, whole)
            return length > 0 && first < last ? first..<last : nil
        }
        guard let columns = covered(x, size.width, canvas.width), let rows = covered(y, size.height, canvas.height)
        else { return nil }
        return PixelRegion(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }

    /// Returns whether the region has at least one pixel and lies completely within a picture of size `canvas`.
    public func isInside(_ canvas: PixelSize) -> Bool {
        // Subtracted, not added: the sums of numbers in a file can overflow.
        x >= 0 && y >= 0 && size.width > 0 && size.height > 0
            && size.width <= canvas.width && x <= canvas.width - size.width
            && size.height <= canvas.height && y <= canvas.height - size.height
    }
}
