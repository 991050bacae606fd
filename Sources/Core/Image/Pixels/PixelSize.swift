/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size of `width` times `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Creates a size of `width` times `height` pixels.
    public init(_ width: Int, _ height: Int) {
        self.init(width: width, height: height)
    }

    /// The number of pixels, width times height. If the product overflows, the area is `Int.max`.
    public var area: Int {
        let (output, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : output
    }

    /// Whether the size contains no pixels, because a side is zero or less.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Returns the largest size with this aspect ratio that fits into `box`.
    ///
    /// One side of the result equals that of the box. The other side is rounded up, so that a thin picture keeps at
    /// least one pixel. If `enlarging` is false, a size that is already inside the box is returned unchanged.
    /// - Parameters:
    ///   - box: The size to stay within. A side that is zero or less is not a limit.
    ///   - enlarging: Whether a size inside the box is enlarged until a side equals that of the box. Default: false.
    public func fitting(_ box: PixelSize, enlarging: Bool = false) -> PixelSize {
        scaled(to: box, enlarging: enlarging) { byWidth in byWidth }
    }

    /// Returns the smallest size with this aspect ratio that covers `box`.
    /// - Parameters:
    ///   - box: The size to cover. A side that is zero or less is ignored.
    ///   - enlarging: Whether a size that does not cover the box is enlarged. Default: false, which returns such a size
    ///     unchanged.
    public func filling(_ box: PixelSize, enlarging: Bool = false) -> PixelSize {
        scaled(to: box, enlarging: enlarging) { byWidth in !byWidth }
    }

    /// Returns the size of a thumbnail within `box`. The size is never enlarged.
    /// - Parameters:
    ///   - box: The maximum size. A side that is zero or less is not a limit.
    ///   - preservingAspectRatio: Whether the aspect ratio is kept. If false, each side is limited separately.
    func thumbnail(in box: PixelSize, preservingAspectRatio: Bool) -> PixelSize {
        guard !preservingAspectRatio else { return fitting(box) }
        return PixelSize(
            width: box.width > 0 ? min(box.width, width) : width,
            height: box.height > 0 ? min(box.height, height) : height)
    }

    /// Returns the largest size with this aspect ratio for which all frames take at most `byteCount` bytes, without
    /// padding. The size is never enlarged, and never less than one pixel, even if that exceeds the limit.
    /// - Parameter bytesPerPixel: The number of bytes of one pixel, at least 1.
    func within(byteCount: Int, bytesPerPixel: Int, frameCount: Int = 1) -> PixelSize {
        let count = max(1, byteCount / bytesPerPixel / max(1, frameCount))
        guard !isEmpty, area > count else { return self }
        func side(_ length: Int, across other: Int) -> Int {
            let exact = (Double(count) * Double(length) / Double(other)).squareRoot().rounded(.down)
            return min(Int(exactly: max(1, exact)) ?? .max, length, count)
        }
        let columns = side(width, across: height)
        // If a side was raised to one pixel, the other side is limited further.
        return PixelSize(width: columns, height: min(side(height, across: width), count / columns))
    }

    /// Returns the size scaled so that its width or its height equals that of the box.
    /// - Parameters:
    ///   - box: The box. A side that is zero or less is ignored.
    ///   - choosesWidth: A closure that returns true to make the widths equal, and false to make the heights equal. Its
    ///     argument is whether the aspect ratio of the size, width to height, is at least that of the box. The closure
    ///     is not called if a side of the box is ignored.
    private func scaled(to box: PixelSize, enlarging: Bool, choosesWidth: (Bool) -> Bool) -> PixelSize {
        guard !isEmpty, box.width > 0 || box.height > 0 else { return self }
        let byWidth: Bool
        if box.height <= 0 {
            byWidth = true
        } else if box.width <= 0 {
            byWidth = false
        } else {
            let widthLimits = Double(width) * Double(box.height) >= Double(height) * Double(box.width)
            byWidth = choosesWidth(widthLimits)
        }
        let (target, side) = byWidth ? (box.width, width) : (box.height, height)
        guard enlarging || target < side else { return self }
        func other(_ length: Int) -> Int {
            Int(exactly: max(1, (Double(length) * Double(target) / Double(side) - 1e-9).rounded(.up))) ?? .max
        }
        return byWidth
            ? PixelSize(width: target, height: other(height))
            : PixelSize(width: other(width), height: target)
    }
}

extension PixelSize: CustomStringConvertible {
    /// The size as text, for example `400x300`.
    public var description: String { "\(width)x\(height)" }
}
