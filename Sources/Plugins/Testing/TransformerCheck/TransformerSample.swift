import Calotype

/// A picture that a transformer receives in checks.
struct TransformerSample: Sendable {
    let name: String
    let pixels: PixelBuffer

    /// Pictures of every kind, with 8 bits.
    static let all: [TransformerSample] = {
        let square = PixelSize(64, 64)
        return [
            TransformerSample("opaque", PixelSize(96, 72), alpha: { _, _ in 1 }),
            TransformerSample("gray", square, isGray: true, alpha: { _, _ in 1 }),
            TransformerSample(
                "translucent", PixelSize(50, 96), alpha: { x, y in x < 10 ? 0 : Double((x + y) % 16) / 15 }),
            TransformerSample("one pixel", PixelSize(1, 1), alpha: { _, _ in 1 }),
            TransformerSample("one column", PixelSize(1, 70), alpha: { _, _ in 1 }),
            TransformerSample("one row", PixelSize(70, 1), alpha: { x, _ in Double(x % 2) }),
        ].compactMap(\.self)
    }()

    /// Small pictures for transformers that need other images: a translucent and an opaque one.
    static let companions: [TransformerSample] = [
        TransformerSample("logo", PixelSize(24, 16), alpha: { x, y in Double((x + y) % 8) / 7 }),
        TransformerSample("tile", PixelSize(10, 10), alpha: { _, _ in 1 }),
    ].compactMap(\.self)

    /// Creates a picture of smooth colors and a sharp edge; nil if there is not enough memory.
    private init?(_ name: String, _ size: PixelSize, isGray: Bool = false, alpha: (_ x: Int, _ y: Int) -> Double) {
        guard var builder = try? PixelBufferBuilder(layout: PixelLayout(size: size)) else { return nil }
        var isOpaque = true
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<size.width {
                    let level = x > size.width / 2 ? 200 : 30
                    let colors =
                        isGray
                        ? [level, level, level] : [level, 255 * y / size.height, 255 - 255 * x / size.width]
                    let opacity = alpha(x, y)
                    isOpaque = isOpaque && opacity == 1
                    for (channel, value) in (colors + [Int(opacity * 255)]).enumerated() {
                        row.storeBytes(of: UInt8(value), toByteOffset: x * 4 + channel, as: UInt8.self)
                    }
                }
            }
        }
        self.init(name: name, pixels: builder.finish(isOpaque: isOpaque, isGray: isGray))
    }

    init(name: String, pixels: PixelBuffer) {
        self.name = name
        self.pixels = pixels
    }

    /// Returns the picture in another format.
    func converted(to format: PixelFormat) throws(ImageError) -> TransformerSample {
        TransformerSample(name: "\(name), \(format)", pixels: try pixels.converted(to: format))
    }
}
