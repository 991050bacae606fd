import Calotype

/// The edges of a picture that have one color.
struct PictureEdges {
    private let pixels: PixelBuffer
    private let row: RowMemory<SIMD4<Float>>
    /// The color, with its channels multiplied by alpha.
    private let color: SIMD4<Float>
    private let tolerance: Float

    /// Creates edges of a color; of the color of the top left pixel if it is nil. Throws `outOfMemory`.
    init(_ pixels: PixelBuffer, color: SIMD4<Float>?, tolerance: Float) throws(ImageError) {
        self.pixels = pixels
        // Rounding to 8 bits makes a difference of half a level.
        self.tolerance = tolerance + (pixels.format == .rgba8 ? 0.5 / 255 : 0.5 / 65_535)
        row = try RowMemory(count: pixels.width)
        if let color {
            self.color = color.premultiplied
        } else {
            pixels.readFloats(ofRow: 0, into: row)
            self.color = row.base[0].premultiplied
        }
    }

    /// Returns the smallest region with all pixels that differ from the color; nil if there are none. Throws
    /// `cancelled` or `timedOut` if the job ends.
    func inside(job: Job) throws(ImageError) -> PixelRegion? {
        guard let top = try firstRow(of: 0..<pixels.height, job: job),
            let bottom = try firstRow(of: (top..<pixels.height).reversed(), job: job)
        else { return nil }
        var (left, right) = (pixels.width, 0)
        for y in top...bottom {
            try job.check()
            pixels.readFloats(ofRow: y, into: row)
            left = (0..<left).first { differs($0) } ?? left
            right = (right..<pixels.width).last { differs($0) }.map { $0 + 1 } ?? right
            if left == 0, right == pixels.width { break }
        }
        return PixelRegion(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top + 1))
    }

    /// Returns the first of some rows with a pixel that differs.
    private func firstRow(of rows: some Sequence<Int>, job: Job) throws(ImageError) -> Int? {
        for y in rows {
            try job.check()
            pixels.readFloats(ofRow: y, into: row)
            if (0..<pixels.width).contains(where: { differs($0) }) { return y }
        }
        return nil
    }

    /// Returns whether a pixel of the current row differs from the color. Pixels that are not numbers do.
    private func differs(_ column: Int) -> Bool {
        let difference = row.base[column].premultiplied - color
        return any(pointwiseMax(difference, -difference) .> tolerance) || any(difference .!= difference)
    }
}

extension SIMD4<Float> {
    /// The pixel with red, green and blue multiplied by alpha. Transparent pixels are zero, whatever their color.
    fileprivate var premultiplied: SIMD4<Float> { w == 0 ? .zero : self * SIMD4(w, w, w, 1) }
}
