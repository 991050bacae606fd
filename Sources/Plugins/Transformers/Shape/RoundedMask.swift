import Calotype

/// The visible part of a picture with rounded corners, and the border along its edge.
struct RoundedMask {
    private let size: PixelSize
    private let outer: RoundedRectangle
    private let inner: RoundedRectangle
    private let border: SIMD4<Float>
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
        let color = borderColor.limited
        border = SIMD4(Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
        let reach = max(outer.radii.largest, borderWidth)
        edgeWidth = min(Int(reach.rounded(.up)), size.width)
        borderRows = min(Int(borderWidth.rounded(.up)), size.height)
    }

    /// Returns the visible pixels, with the border.
    func applied(to pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer {
        guard edgeWidth > 0 else { return pixels }
        let format = pixels.format
        let isGray = pixels.isGray && (borderWidth == 0 || (border.x == border.y && border.y == border.z))
        let isOpaque = pixels.isOpaque && outer.radii.largest == 0
        // Less becomes 0 when it is rounded.
        let leastAlpha: Float =
            switch format {
            case .rgba8: 0.5 / 255
            case .rgba16: 0.5 / 65_535
            case .rgbaFloat: .leastNormalMagnitude
            }
        var canvas = try PixelBufferBuilder(copying: pixels)
        let floats = try FloatRow(pixelCount: size.width)
        for y in 0..<size.height {
            try job.check()
            canvas.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    for columns in changedColumns(ofRow: y) {
                        floats.change(row, columns: columns, of: format) { change($0, y, columns, leastAlpha) }
                    }
                }
            }
        }
        return canvas.finish(isOpaque: isOpaque, isGray: isGray)
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
        let inside = borderWidth > 0 ? inner.coverage(ofRow: y, columns: columns) : []
        for index in pixels.indices {
            // The border takes the part of the visible pixel that the inner shape leaves.
            if inside.indices.contains(index), visible[index] > 0, inside[index] < visible[index] {
                var color = border
                color.w *= 1 - inside[index] / visible[index]
                pixels[index] = color.drawn(over: pixels[index])
            }
            guard visible[index] < 1 else { continue }
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

extension SIMD4<Float> {
    /// Returns this pixel drawn over another, both with straight alpha.
    func drawn(over below: SIMD4<Float>) -> SIMD4<Float> {
        // A float pixel below can be infinite, and would spread.
        guard w > 0 else { return below }
        guard w < 1 else { return self }
        let rest = below.w * (1 - w)
        let alpha = w + rest
        guard alpha > 0 else { return .zero }
        var mixed = (self * w + below * rest) / alpha
        mixed.w = alpha
        return mixed
    }
}
