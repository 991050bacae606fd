/// The places in memory where the rows of a picture are filled. The rows lie from top to bottom, from bottom to top, or
/// all in the same place.
///
/// The places point into memory whose owner must exist as long as rows are filled.
struct RowPlaces {
    /// The number of rows.
    let count: Int
    /// Whether the pixels of a row must be reversed once the row has been filled.
    let isMirrored: Bool

    private let first: UnsafeMutableRawPointer
    /// Bytes from the place of a row to that of the next; negative if the last row comes first in memory, 0 if all rows
    /// have the same place.
    private let step: Int
    private let rowByteCount: Int

    /// Creates places for rows of a layout.
    /// - Parameters:
    ///   - base: The start of the memory.
    ///   - bytesPerRow: Bytes from the start of one row to the start of the next; 0 if all rows have the same place.
    ///   - isFlipped: Whether the last row comes first in memory.
    ///   - isMirrored: Whether the pixels of a row must be reversed once the row has been filled.
    init(
        _ layout: PixelLayout, at base: UnsafeMutableRawPointer, bytesPerRow: Int, isFlipped: Bool = false,
        isMirrored: Bool = false
    ) {
        count = layout.size.height
        self.isMirrored = isMirrored
        first = isFlipped ? base + (layout.size.height - 1) * bytesPerRow : base
        step = isFlipped ? -bytesPerRow : bytesPerRow
        rowByteCount = layout.rowByteCount
    }

    /// Whether the last row comes first in memory.
    var isFlipped: Bool { step < 0 }

    /// The place of row `y`, without padding.
    subscript(y: Int) -> UnsafeMutableRawBufferPointer {
        precondition(y >= 0 && y < count, "row \(y) does not exist among \(count) rows")
        return UnsafeMutableRawBufferPointer(start: first + y * step, count: rowByteCount)
    }
}
