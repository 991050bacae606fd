#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A rectangle with rounded corners, whose coverage of pixels is computed exactly.
struct RoundedRectangle {
    /// The radii of the corners, in pixels.
    struct Radii: Hashable {
        var topLeft: Double
        var topRight: Double
        var bottomLeft: Double
        var bottomRight: Double
    }

    /// The edges, in pixels.
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double
    let radii: Radii

    /// Creates a rectangle in a picture. Radii are limited to half of its shorter side, as in most programs.
    /// - Parameter inset: The distance from the edges of the picture. It also reduces the radii.
    init(width: Int, height: Int, radii: Radii, inset: Double = 0) {
        left = inset
        top = inset
        right = Double(width) - inset
        bottom = Double(height) - inset
        let limit = Double(min(width, height)) / 2
        func reduced(_ radius: Double) -> Double { max(0, min(radius, limit) - inset) }
        self.radii = Radii(
            topLeft: reduced(radii.topLeft), topRight: reduced(radii.topRight), bottomLeft: reduced(radii.bottomLeft),
            bottomRight: reduced(radii.bottomRight))
    }

    /// Returns the part of each of some pixels of a row that the rectangle covers, 0 to 1.
    func coverage(ofRow y: Int, columns: Range<Int>) -> [Float] {
        let (rowTop, rowBottom) = (max(Double(y), top), min(Double(y + 1), bottom))
        guard left < right, rowTop < rowBottom else { return [Float](repeating: 0, count: columns.count) }
        return columns.map { x in
            let (pixelLeft, pixelRight) = (max(Double(x), left), min(Double(x + 1), right))
            guard pixelLeft < pixelRight else { return 0 }
            var area = (pixelRight - pixelLeft) * (rowBottom - rowTop)
            // What each corner takes away. Distances are measured from the corner's tip.
            area -= missing(radii.topLeft, pixelLeft - left, pixelRight - left, rowTop - top, rowBottom - top)
            area -= missing(radii.topRight, right - pixelRight, right - pixelLeft, rowTop - top, rowBottom - top)
            area -= missing(radii.bottomLeft, pixelLeft - left, pixelRight - left, bottom - rowBottom, bottom - rowTop)
            area -= missing(
                radii.bottomRight, right - pixelRight, right - pixelLeft, bottom - rowBottom, bottom - rowTop)
            return Float(min(max(area, 0), 1))
        }
    }

    /// Returns the area of a pixel that lies in a corner but outside its circle.
    /// - Parameters:
    ///   - radius: The radius of the corner.
    ///   - near: The distance of the pixel's nearer side from the tip, along the row.
    ///   - far: The distance of its farther side.
    ///   - nearRow: The distance of its nearer side from the tip, across the rows.
    ///   - farRow: The distance of its farther side.
    private func missing(
        _ radius: Double, _ near: Double, _ far: Double, _ nearRow: Double, _ farRow: Double
    ) -> Double {
        guard near < radius, nearRow < radius else { return 0 }
        // Measured from the center of the circle.
        let (x0, x1) = (radius - min(far, radius), radius - near)
        let (y0, y1) = (radius - min(farRow, radius), radius - nearRow)
        return (x1 - x0) * (y1 - y0) - covered(radius, x0, x1, y0, y1)
    }

    /// Returns the area of a rectangle in the first quadrant that a circle around the origin covers.
    private func covered(_ radius: Double, _ x0: Double, _ x1: Double, _ y0: Double, _ y1: Double) -> Double {
        func height(_ x: Double) -> Double { max(0, radius * radius - x * x).squareRoot() }
        // The integral of the circle's height.
        func integral(_ x: Double) -> Double {
            (x * height(x) + radius * radius * asin(min(1, x / radius))) / 2
        }
        // The circle reaches above the rectangle up to the first point, and into it up to the second.
        let full = min(max(height(y1), x0), x1)
        let end = min(max(height(y0), x0), x1)
        return (full - x0) * (y1 - y0) + integral(end) - integral(full) - (end - full) * y0
    }
}
