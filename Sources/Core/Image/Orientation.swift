/// The orientation of stored pixels, which tells how to turn them upright.
///
/// The raw value is that of the EXIF tag 0x0112. Source: CIPA DC-008 (EXIF 2.32), section 4.6.4 A.
public enum Orientation: UInt8, Sendable, Hashable, CaseIterable {
    /// 1: stored upright.
    case up = 1
    /// 2: mirrored, left and right are exchanged.
    case upMirrored = 2
    /// 3: turned by 180 degrees.
    case down = 3
    /// 4: mirrored, top and bottom are exchanged.
    case downMirrored = 4
    /// 5: mirrored along the diagonal from the top left corner. Stored rows are columns of the upright picture.
    case leftMirrored = 5
    /// 6: to be turned by 90 degrees clockwise.
    case right = 6
    /// 7: mirrored along the diagonal from the top right corner. Stored rows are columns of the upright picture, in
    /// reverse order.
    case rightMirrored = 7
    /// 8: to be turned by 90 degrees counter-clockwise.
    case left = 8

    /// Whether turning the picture upright exchanges width and height. True for the raw values 5 to 8.
    public var isTransposed: Bool { rawValue >= 5 }

    /// Returns the size of the upright picture for a stored size.
    public func displaySize(of stored: PixelSize) -> PixelSize {
        isTransposed ? stored.transposed : stored
    }

    /// The orientation that undoes this one.
    public var inverse: Orientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// Returns the column and row that a stored pixel has in the upright picture.
    /// - Parameters:
    ///   - x: The stored column of the pixel, from 0.
    ///   - y: The stored row of the pixel, from 0.
    ///   - stored: The stored size of the picture.
    public func displayPosition(x: Int, y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        return switch self {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (bottom - y, x)
        case .rightMirrored: (bottom - y, right - x)
        case .left: (y, right - x)
        }
    }
}
