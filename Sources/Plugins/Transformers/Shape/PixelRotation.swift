import CKernels
import Calotype

/// A turn of a picture around its center by any angle.
///
/// The result is computed in tiles. The pixels that a tile needs are converted into a block of floats that fits the
/// processor's cache, with transparent pixels beyond the edges.
struct PixelRotation {
    let targetSize: PixelSize
    private let sourceSize: PixelSize
    private let turn: Turn
    private static let tileSide = 64
    /// The pixels beside a place that its weights reach.
    private static let reach = 2

    /// Creates a turn.
    /// - Parameters:
    ///   - degrees: The angle, clockwise.
    ///   - source: The size of the picture.
    ///   - isGrowing: Whether the result contains the whole turned picture. If false, it has the size of the picture.
    init(degrees: Double, source: PixelSize, isGrowing: Bool) {
        sourceSize = source
        turn = Turn(degrees: degrees)
        guard isGrowing else {
            targetSize = source
            return
        }
        let (width, height) = (Double(source.width), Double(source.height))
        // A rounding error must not add a line.
        func length(_ exact: Double) -> Int { Int(exactly: max(1, (exact - 1e-6).rounded(.up))) ?? .max }
        targetSize = PixelSize(
            width: length(width * abs(turn.cosine) + height * abs(turn.sine)),
            height: length(width * abs(turn.sine) + height * abs(turn.cosine)))
    }

    /// Returns the turned pixels in the same format.
    func applied(to pixels: PixelBuffer, background: PixelColor, job: Job) throws(ImageError) -> PixelBuffer {
        let layout = PixelLayout(
            size: targetSize, format: pixels.format, isOpaque: background.alpha >= 1,
            isGray: pixels.isGray && (background.isGray || background.alpha <= 0))
        var builder = try PixelBufferBuilder(mapping: pixels, to: layout)
        let tile = try Tile(side: Self.tileSide, of: pixels, background: background)
        for top in stride(from: 0, to: targetSize.height, by: Self.tileSide) {
            for left in stride(from: 0, to: targetSize.width, by: Self.tileSide) {
                try job.check()
                let columns = left..<min(left + Self.tileSide, targetSize.width)
                let rows = top..<min(top + Self.tileSide, targetSize.height)
                tile.load(block(under: columns, rows))
                for y in rows {
                    let (x0, y0) = place(x: columns.lowerBound, y: y)
                    builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                        row.withUnsafeMutableBytes { row in
                            let target = row.baseAddress! + columns.lowerBound * pixels.format.bytesPerPixel
                            tile.sample(x: x0, y: y0, dx: turn.cosine, dy: -turn.sine, count: columns.count, to: target)
                        }
                    }
                }
            }
        }
        return builder.finish()
    }

    /// Returns the place in the picture that a pixel of the result shows. Place 0 is the middle of the first pixel.
    private func place(x: Int, y: Int) -> (x: Double, y: Double) {
        let dx = Double(x) + 0.5 - Double(targetSize.width) / 2
        let dy = Double(y) + 0.5 - Double(targetSize.height) / 2
        return (
            turn.cosine * dx + turn.sine * dy + Double(sourceSize.width) / 2 - 0.5,
            -turn.sine * dx + turn.cosine * dy + Double(sourceSize.height) / 2 - 0.5
        )
    }

    /// Returns the columns and rows of the picture, and beyond its edges, that a tile of the result needs.
    private func block(under columns: Range<Int>, _ rows: Range<Int>) -> (x: Range<Int>, y: Range<Int>) {
        let corners = [columns.lowerBound, columns.upperBound - 1].flatMap { x in
            [rows.lowerBound, rows.upperBound - 1].map { y in place(x: x, y: y) }
        }
        func range(_ places: [Double]) -> Range<Int> {
            let (first, last) = (places.min()!.rounded(.down), places.max()!.rounded(.down))
            // One more, since places along a row are computed with less precision.
            return Int(first) - Self.reach..<Int(last) + Self.reach + 2
        }
        return (range(corners.map(\.x)), range(corners.map(\.y)))
    }

    /// A block of the picture as floats, with colors premultiplied by alpha.
    private final class Tile {
        private let pixels: PixelBuffer
        private let background: SIMD4<Float>
        private let block: RowMemory<Float>
        /// A row of the block before colors are premultiplied, and a row of the result with premultiplied colors.
        private let row: RowMemory<Float>
        /// A row of the result without background.
        private let above: RowMemory<Float>
        /// A row of the background, over which the result is drawn.
        private let below: RowMemory<Float>
        private let blockSide: Int
        private var columns = 0..<0
        private var rows = 0..<0
        private var isEmpty = true

        init(side: Int, of pixels: PixelBuffer, background: PixelColor) throws(ImageError) {
            self.pixels = pixels
            // A transparent background has no color, so that gray pictures stay gray.
            self.background = background.alpha > 0 ? background.floats : .zero
            // A turned square is at most this wide.
            blockSide = Int(Double(side) * 2.0.squareRoot()) + 2 * PixelRotation.reach + 4
            block = try RowMemory(count: blockSide * blockSide * 4)
            row = try RowMemory(count: blockSide * 4)
            above = try RowMemory(count: side * 4)
            below = try RowMemory(count: side * 4)
        }

        func load(_ place: (x: Range<Int>, y: Range<Int>)) {
            (columns, rows) = place
            precondition(columns.count <= blockSide && rows.count <= blockSide, "the block is too large")
            let inside = columns.clamped(to: 0..<pixels.width)
            isEmpty = inside.isEmpty || rows.clamped(to: 0..<pixels.height).isEmpty
            guard !isEmpty else { return }
            for y in rows {
                let line = block.base + (y - rows.lowerBound) * columns.count * 4
                guard y >= 0, y < pixels.height else {
                    line.update(repeating: 0, count: columns.count * 4)
                    continue
                }
                let (before, count) = (inside.lowerBound - columns.lowerBound, inside.count)
                line.update(repeating: 0, count: before * 4)
                (line + (before + count) * 4).update(repeating: 0, count: (columns.count - before - count) * 4)
                pixels.withRow(y) { source in
                    source.withUnsafeBytes { source in
                        let first = source.baseAddress! + inside.lowerBound * pixels.format.bytesPerPixel
                        PixelFormat.rgbaFloat.convert(first, from: pixels.format, to: row.base, pixelCount: count)
                        ck_resize_pack_rgbaf(row.base, count, pixels.isOpaque, line + before * 4)
                    }
                }
            }
        }

        /// Computes a row of the result.
        func sample(x: Double, y: Double, dx: Double, dy: Double, count: Int, to target: UnsafeMutableRawPointer) {
            var result = below
            if isEmpty || background.w > 0 {
                for index in 0..<count {
                    UnsafeMutableRawPointer(below.base)
                        .storeBytes(of: background, toByteOffset: index * 16, as: SIMD4<Float>.self)
                }
            }
            if !isEmpty {
                ck_sample_cubic_rgba_float(
                    block.base, columns.count, Float(x - Double(columns.lowerBound)),
                    Float(y - Double(rows.lowerBound)), Float(dx), Float(dy), count, row.base)
                ck_resize_unpack_rgbaf(row.base, count, false, above.base)
                if background.w > 0 { ck_over_rgba_float(above.base, below.base, count) } else { result = above }
            }
            pixels.format.convert(result.base, from: .rgbaFloat, to: target, pixelCount: count)
        }
    }
}
