#if GIF
import Calotype

/// The part of the canvas that a written frame changes.
///
/// Pixels that are less than half opaque are not drawn, because GIF has no partial transparency. A drawn pixel can
/// become transparent only by background disposal, which clears the whole region of a frame. The region must therefore
/// contain every visible pixel that is transparent in the next frame.
struct GIFChange {
    /// The value of a pixel that is not drawn.
    static let undrawn = ColorHistogram.ignored

    /// The smallest region that contains all drawn pixels, and all pixels that are cleared after the frame. It has at
    /// least one pixel.
    let region: PixelRegion
    let disposal: FrameInfo.Disposal
    /// Whether some pixels of the region are not drawn.
    let isSparse: Bool

    private let rows: Rows

    /// Creates the change from one picture to the next.
    /// - Parameters:
    ///   - pixels: The complete picture of the frame, with 8 bits for each channel.
    ///   - before: The picture of the previous frame; nil for the first frame.
    ///   - cleared: The region that was cleared after the previous frame; nil for none.
    ///   - after: The picture of the next frame; nil for the last frame.
    init(
        _ pixels: PixelBuffer, before: PixelBuffer?, cleared: PixelRegion?, after: PixelBuffer?, job: Job
    ) throws(ImageError) {
        let rows = Rows(pixels: pixels, before: before, cleared: cleared)
        self.rows = rows
        if before == nil, pixels.isOpaque, after?.isOpaque != false {
            (region, disposal, isSparse) = (PixelRegion(size: pixels.size), .keep, false)
            return
        }
        var bounds = Bounds()
        let columns = 0..<pixels.width
        var colors = [UInt32](repeating: 0, count: columns.count)
        var others = colors
        var isCleared = false
        var drawnCount = 0
        for y in 0..<pixels.height {
            try job.check()
            rows.read(y, columns, into: &colors)
            drawnCount += bounds.add(colors, y)
            guard let after, !after.isOpaque else { continue }
            pixels.readColors(y, columns, into: &colors)
            after.readColors(y, columns, into: &others)
            for x in colors.indices where others[x] != Self.undrawn { colors[x] = Self.undrawn }
            if bounds.add(colors, y) > 0 { isCleared = true }
        }
        region = bounds.region
        disposal = isCleared ? .background : .keep
        isSparse = drawnCount < region.size.area
    }

    /// The region that is cleared before the next frame; nil for none.
    var cleared: PixelRegion? { disposal == .background ? region : nil }

    /// The range of the picture's rows that are in the region.
    var rowRange: Range<Int> { region.y..<region.y + region.size.height }

    /// A new buffer with an element for each pixel of a row of the region.
    var row: [UInt32] { [UInt32](repeating: 0, count: region.size.width) }

    /// Reads the part of row `y` of the picture that is in the region. Each color has red in the lowest byte. A pixel
    /// that is not drawn has the value ``undrawn``.
    /// - Parameter colors: The result, with as many elements as ``row``.
    func readColors(_ y: Int, into colors: inout [UInt32]) {
        rows.read(y, region.x..<region.x + region.size.width, into: &colors)
    }

    /// A reader of the pixels that the frame draws, row by row.
    private struct Rows {
        let pixels: PixelBuffer
        let before: PixelBuffer?
        let cleared: PixelRegion?

        func read(_ y: Int, _ columns: Range<Int>, into colors: inout [UInt32]) {
            pixels.readColors(y, columns, into: &colors)
            guard let before else { return }
            var shown = [UInt32](repeating: 0, count: columns.count)
            before.readColors(y, columns, into: &shown)
            if let cleared, (cleared.y..<cleared.y + cleared.size.height).contains(y) {
                for x in columns.clamped(to: cleared.x..<cleared.x + cleared.size.width) {
                    shown[x - columns.lowerBound] = GIFChange.undrawn
                }
            }
            for x in colors.indices where colors[x] == shown[x] { colors[x] = GIFChange.undrawn }
        }
    }

    /// The smallest rectangle that contains all drawn pixels of the rows that were added.
    private struct Bounds {
        private var columns = 0..<0
        private var rows = 0..<0

        /// Adds the drawn pixels of a row. Returns their number.
        mutating func add(_ colors: [UInt32], _ y: Int) -> Int {
            guard let first = colors.firstIndex(where: { $0 != GIFChange.undrawn }),
                let last = colors.lastIndex(where: { $0 != GIFChange.undrawn })
            else { return 0 }
            columns =
                columns.isEmpty
                ? first..<last + 1 : min(columns.lowerBound, first)..<max(columns.upperBound, last + 1)
            rows = rows.isEmpty ? y..<y + 1 : rows.lowerBound..<y + 1
            return colors[first...last].reduce(0) { $1 == GIFChange.undrawn ? $0 : $0 + 1 }
        }

        /// The rectangle. If no row had a drawn pixel, the rectangle is the first pixel of the picture.
        var region: PixelRegion {
            guard !rows.isEmpty else { return PixelRegion(size: PixelSize(1, 1)) }
            return PixelRegion(
                x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(columns.count, rows.count))
        }
    }
}

extension PixelBuffer {
    /// Reads the colors of some columns of a row, with red in the lowest byte. A pixel that is less than half opaque
    /// has the value ``GIFChange/undrawn``.
    fileprivate func readColors(_ y: Int, _ columns: Range<Int>, into colors: inout [UInt32]) {
        withRow(y) { (row: RawSpan) -> Void in
            row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in
                let pixels = row.bindMemory(to: UInt32.self).baseAddress! + columns.lowerBound
                colors.withUnsafeMutableBufferPointer { (colors: inout UnsafeMutableBufferPointer<UInt32>) -> Void in
                    precondition(colors.count == columns.count && columns.upperBound <= width)
                    let colors = colors.baseAddress!
                    for x in 0..<columns.count {
                        let pixel = UInt32(littleEndian: pixels[x])
                        colors[x] = pixel >> 24 >= 128 ? pixel & 0xFF_FFFF : GIFChange.undrawn
                    }
                }
            }
        }
    }
}
#endif
