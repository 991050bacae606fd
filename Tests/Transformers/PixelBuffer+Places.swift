import Calotype

extension PixelBuffer {
    /// Returns opaque pixels whose red is their column and whose green is their row, at most 255 of each.
    static func places(_ size: PixelSize) throws -> PixelBuffer {
        try drawn(size) { x, y in PixelColor(red: Double(x) / 255, green: Double(y) / 255, blue: 0) }
    }

    /// Returns pixels of the colors that `color` returns for each column and row.
    static func drawn(
        _ size: PixelSize, _ format: PixelFormat = .rgba8, color: (_ x: Int, _ y: Int) -> PixelColor
    ) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: format))
        for y in 0..<size.height {
            for x in 0..<size.width {
                try builder.fill(color(x, y), in: PixelRegion(x: x, y: y, size: PixelSize(1, 1)))
            }
        }
        return builder.finish()
    }
}

extension PixelBuffer {
    /// The bytes of all rows, without padding.
    var bytes: [UInt8] {
        (0..<height).flatMap { y in
            withRow(y) { (row: RawSpan) -> [UInt8] in row.withUnsafeBytes { Array($0) } }
        }
    }
}

extension PixelColor {
    /// The column and the row that the color tells.
    var place: [Int] { [Int((red * 255).rounded()), Int((green * 255).rounded())] }

    /// The channels.
    var channels: [Double] { [red, green, blue, alpha] }

    /// The channels, with red, green and blue multiplied by alpha.
    var premultiplied: SIMD4<Double> { SIMD4(red * alpha, green * alpha, blue * alpha, alpha) }
}
