#if HEIF
import Calotype

/// The part of a picture's stored pixels that is visible, and the orientation in which that part is shown.
struct HEIFPlacement: Equatable {
    /// The visible part, in coordinates of the stored pixels.
    private(set) var region: PixelRegion
    private(set) var orientation = Orientation.up

    /// Applies transformations, in order, to a picture. Throws `badData` if no pixels remain visible.
    init(_ transformations: [HEIFTransformation], of size: PixelSize) throws(ImageError) {
        region = PixelRegion(x: 0, y: 0, size: size)
        for transformation in transformations {
            switch transformation {
            case .crop(let aperture): crop(to: try aperture.region(in: orientation.displaySize(of: region.size)))
            case .rotation(let quarters):
                for _ in 0..<quarters { orientation = orientation.followed(by: .left) }
            case .mirror(let swapsSides):
                orientation = orientation.followed(by: swapsSides ? .upMirrored : .downMirrored)
            }
        }
    }

    /// Crops the visible part.
    /// - Parameter shown: The region that remains visible, relative to the visible part in its current orientation.
    private mutating func crop(to shown: PixelRegion) {
        let seen = orientation.displaySize(of: region.size)
        let back = orientation.inverse
        let (left, top) = (shown.x, shown.y)
        let (right, bottom) = (left + shown.size.width - 1, top + shown.size.height - 1)
        let one = back.displayPosition(x: left, y: top, in: seen)
        let other = back.displayPosition(x: right, y: bottom, in: seen)
        region = PixelRegion(
            x: region.x + min(one.x, other.x), y: region.y + min(one.y, other.y),
            size: back.displaySize(of: shown.size))
    }
}

extension Orientation {
    /// Returns the orientation that has the same effect as applying this orientation and then the next one.
    fileprivate func followed(by next: Orientation) -> Orientation {
        // The positions of two corners identify each of the eight orientations.
        let stored = PixelSize(2, 3)
        func corners(_ place: (Int, Int) -> (x: Int, y: Int)) -> [Int] {
            let (one, other) = (place(0, 0), place(1, 0))
            return [one.x, one.y, other.x, other.y]
        }
        let sought = corners { x, y in
            let first = displayPosition(x: x, y: y, in: stored)
            return next.displayPosition(x: first.x, y: first.y, in: displaySize(of: stored))
        }
        return Orientation.allCases.first { candidate in
            corners { candidate.displayPosition(x: $0, y: $1, in: stored) } == sought
        }!
    }
}
#endif
