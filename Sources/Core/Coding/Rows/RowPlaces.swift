/// The addresses of a picture's rows in memory. The rows lie from top to bottom or from bottom to top, or all share the
/// memory of one row.
///
/// The memory is not retained: its owner must exist as long as rows are filled.
struct RowPlaces {
    /// The number of rows.
    let count: Int
    /// Whether the pixels of a row must be reversed once the row has been filled.
    let isMirrored: Bool

    private let first: UnsafeMutableRawPointer
    /// Bytes from one row to the next: negative if the last row comes first, 0 if all rows share the same memory.
    private let step: Int
    private let rowByteCount: Int

    /// Creates the addresses of a layout's rows in the memory that starts at `base`.
    /// - Parameter bytesPerRow: Bytes from one row to the next; 0 if all rows share the same memory.
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
