#if HEIF
import Calotype

/// A crop: the part of a picture that is visible.
///
/// Source: ISO/IEC 14496-12:2022, section 12.1.4.
struct CleanAperture {
    private let width: Double
    private let height: Double
    /// The offset of the visible part's center from the picture's center, in pixels to the right and down.
    private let offset: (x: Double, y: Double)

    /// Reads a crop from its property. Throws `badData` if the property is truncated or a number is invalid.
    init(_ cursor: inout HEIFCursor) throws(ImageError) {
        width = try Self.number(&cursor)
        height = try Self.number(&cursor)
        offset = (try Self.number(&cursor), try Self.number(&cursor))
    }

    private static func number(_ cursor: inout HEIFCursor) throws(ImageError) -> Double {
        let numerator = try cursor.signedNumber()
        let denominator = try cursor.signedNumber()
        guard denominator > 0 else { throw .damagedHEIF("the numbers of its crop are invalid") }
        return Double(numerator) / Double(denominator)
    }

    /// Returns the visible part of a picture in whole pixels. Throws `badData` if it is empty.
    func region(in size: PixelSize) throws(ImageError) -> PixelRegion {
        let columns = try Self.range(width, offset.x, in: size.width)
        let rows = try Self.range(height, offset.y, in: size.height)
        return PixelRegion(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(columns.count, rows.count))
    }

    private static func range(_ length: Double, _ offset: Double, in whole: Int) throws(ImageError) -> Range<Int> {
        // The range begins with the first pixel that is not completely outside. All values are at most a few billion,
        // so the conversions to `Int` cannot overflow.
        let start = (offset + (Double(whole) - length) / 2).rounded(.down)
        let (first, end) = (max(0, Int(start)), min(whole, Int(start + length.rounded())))
        guard first < end else { throw .damagedHEIF("its crop leaves no pixels") }
        return first..<end
    }
}
#endif
