import CKernels
import Calotype

/// The visible part of a picture with rounded corners, and the border along its edge.
struct RoundedMask {
    private let size: PixelSize
    private let outer: RoundedRectangle
    private let inner: RoundedRectangle
    private let border: SIMD4<Float>
    private let hasGrayBorder: Bool
    private let borderWidth: Double
    /// The number of pixels, from the left and from the right edge, of which some can be changed.
    private let edgeWidth: Int
    /// The number of rows, from the top and from the bottom, that the border covers.
    private let borderRows: Int

    init(size: PixelSize, radii: RoundedRectangle.Radii, borderWidth: Double, borderColor: PixelColor) {
        self.size = size
        // A wider border covers everything as well.
        let borderWidth = min(borderWidth, Double(max(size.width, size.height)))
        self.borderWidth = borderWidth
        outer = RoundedRectangle(width: size.width, height: size.height, radii: radii)
        inner = RoundedRectangle(width: size.width, height: size.height, radii: radii, inset: borderWidth)
        border = borderColor.floats
        hasGrayBorder = borderColor.isGray
        let reach = max(outer.radii.largest, borderWidth)
        edgeWidth = min(Int(reach.rounded(.up)), size.width)
        borderRows = min(Int(borderWidth.rounded(.up)), size.height)
    }

    /// Returns the visible pixels, with the border.
    func applied(to pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer {
        guard edgeWidth > 0 else { return pixels }
        let format = pixels.format
        let layout = PixelLayout(
            size: size, format: format, isOpaque: pixels.isOpaque && outer.radii.largest == 0,
            isGray: pixels.isGray && (borderWidth == 0 || hasGrayBorder))
        // Less becomes 0 when it is rounded.
        let leastAlpha: Float =
            switch format {
            case .rgba8: 0.5 / 255
            case .rgba16: 0.5 / 65_535
            case .rgbaFloat: .leastNormalMagnitude
            }
        var canvas = try PixelBufferBuilder(mapping: pixels, to: layout)
        let floats = try FloatRow(pixelCount: size.width)
        for y in 0..<size.height {
            try job.check()
            canvas.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    pixels.withRow(y) { source in source.withUnsafeBytes { row.copyMemory(from: $0) } }
                    for columns in changedColumns(ofRow: y) {
                        floats.change(row, columns: columns, of: format) { change($0, y, columns, leastAlpha) }
                    }
                }
            }
        }
        return canvas.finish()
    }

    /// Returns the columns of a row that can be changed.
    private func changedColumns(ofRow y: Int) -> [Range<Int>] {
        let isBorder = y < borderRows || y >= size.height - borderRows
        guard !isBorder, edgeWidth * 2 < size.width else { return [0..<size.width] }
        let largest = Int(outer.radii.largest.rounded(.up))
        let isCorner = y < largest || y >= size.height - largest
        let width = isCorner ? edgeWidth : Int(borderWidth.rounded(.up))
        return width == 0 ? [] : [0..<width, size.width - width..<size.width]
    }

    private func change(
        _ pixels: UnsafeMutableBufferPointer<SIMD4<Float>>, _ y: Int, _ columns: Range<Int>, _ leastAlpha: Float
    ) {
        let visible = outer.coverage(ofRow: y, columns: columns)
        if borderWidth > 0 {
            // The border takes the part of the visible pixel that the inner shape leaves.
            let inside = inner.coverage(ofRow: y, columns: columns)
            let colors = pixels.indices.map { index in
                var color = border
                color.w *= visible[index] > 0 ? max(0, 1 - inside[index] / visible[index]) : 0
                return color
            }
            colors.withUnsafeBytes { colors in
                ck_over_rgba_float(
                    colors.assumingMemoryBound(to: Float.self).baseAddress!,
                    UnsafeMutableRawPointer(pixels.baseAddress!).assumingMemoryBound(to: Float.self), pixels.count)
            }
        }
        for index in pixels.indices where visible[index] < 1 {
            pixels[index].w *= visible[index]
            // Invisible colors would only make files longer.
            if pixels[index].w < leastAlpha { pixels[index] = .zero }
        }
    }
}

extension RoundedRectangle.Radii {
    /// The largest radius.
    var largest: Double { max(topLeft, topRight, bottomLeft, bottomRight) }
}
