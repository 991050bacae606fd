/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Sendable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of `width` times `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A size of `width` times `height` pixels.
    public init(_ width: Int, _ height: Int) {
        self.init(width: width, height: height)
    }

    /// Width times height, saturating at `Int.max`.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Whether there is no pixel in it: a side is zero or less.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The size with its sides exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The largest size of this shape inside `box`.
    ///
    /// The side that limits is met exactly, the other is rounded up, so that a thin picture keeps at least one pixel.
    /// - Parameters:
    ///   - box: The size to stay within. A side that is zero or less does not limit.
    ///   - enlarging: Whether a size that is already inside may grow to touch the box. Default: no.
    public func fitting(_ box: PixelSize, enlarging: Bool = false) -> PixelSize {
        scaled(to: box, enlarging: enlarging) { byWidth in byWidth }
    }

    /// The smallest size of this shape that covers `box`.
    /// - Parameters:
    ///   - box: The size to cover. A side that is zero or less does not count.
    ///   - enlarging: Whether a size smaller than the box may grow. Default: no.
    public func filling(_ box: PixelSize, enlarging: Bool = false) -> PixelSize {
        scaled(to: box, enlarging: enlarging) { byWidth in !byWidth }
    }

    /// The size of a thumbnail: this size brought into `box`, never enlarged.
    func thumbnail(in box: PixelSize, preservingAspectRatio: Bool) -> PixelSize {
        guard !preservingAspectRatio else { return fitting(box) }
        return PixelSize(
            width: box.width > 0 ? min(box.width, width) : width,
            height: box.height > 0 ? min(box.height, height) : height)
    }

    /// Scales by one side of the box: by its width where `choosesWidth`, told whether the width limits more, says so.
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
    /// For example `400x300`.
    public var description: String { "\(width)x\(height)" }
}
