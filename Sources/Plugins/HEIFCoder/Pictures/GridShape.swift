#if HEIF
import Calotype

/// The shape of a grid of tiles.
///
/// Source: ISO/IEC 23008-12:2022, section 6.6.2.3.
struct GridShape {
    let columnCount: Int
    let rowCount: Int
    /// The size of the picture in pixels. The tiles at the right and at the bottom may extend beyond the picture.
    let size: PixelSize

    /// Parses the contents of a grid item. Throws `badData` if the contents are truncated.
    init(_ bytes: [UInt8]) throws(ImageError) {
        let side = bytes.count > 1 && bytes[1] & 1 != 0 ? 4 : 2
        guard bytes.count >= 4 + 2 * side else { throw .damagedHEIF("the description of its grid is truncated") }
        func number(_ place: Int) -> Int { bytes[place..<place + side].reduce(0) { $0 << 8 | Int($1) } }
        rowCount = Int(bytes[2]) + 1
        columnCount = Int(bytes[3]) + 1
        size = PixelSize(number(4), number(4 + side))
    }
}
#endif
