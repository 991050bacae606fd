public import Calotype

/// A transformer that draws a gradient over a picture, from transparent to a color. It makes text on a picture
/// readable, for example.
public struct GradientTransformer: RecipeTransformer {
    /// The color at the end of the gradient. Its alpha is that of the end.
    public var color: PixelColor
    /// The direction in which the color grows, in degrees clockwise from upward: 180 is downward, and 90 is to the
    /// right.
    public var degrees: Double
    /// Where the gradient starts, as a fraction of the way through the picture: 0 to 1. Before it, the color is
    /// transparent.
    public var start: Double
    /// Where the gradient ends, as a fraction of the way through the picture: 0 to 1. After it, the color does not
    /// change. If the end is not after the start, the gradient is a sharp edge at the start.
    public var end: Double
    /// The way in which the color is blended with the picture.
    public var mode: BlendMode

    /// Creates a transformer that draws a gradient over images.
    ///
    /// The way through the picture is as long as the part of a line in the direction of the gradient that lies between
    /// the first and the last corner.
    ///
    /// Source: W3C, CSS Images Module Level 3, section 3.1.1.
    /// - Parameters:
    ///   - color: The color at the end of the gradient. If it is transparent, the image is not changed.
    ///   - degrees: The direction in which the color grows, clockwise from upward: -36,000 to 36,000. Default: 180,
    ///     downward.
    ///   - start: Where the gradient starts, as a fraction of the way: 0 to 1. Default: 0.
    ///   - end: Where the gradient ends, as a fraction of the way: 0 to 1. Default: 1.
    ///   - mode: The way in which the color is blended with the picture. Default: `.normal`.
    public init(
        _ color: PixelColor, degrees: Double = 180, start: Double = 0, end: Double = 1, mode: BlendMode = .normal
    ) {
        self.color = color
        self.degrees = degrees
        self.start = start
        self.end = end
        self.mode = mode
    }

    public static let recipe = TransformerRecipe(
        "gradient", defaults: GradientTransformer(.black),
        summary: "Draws a gradient over the picture, from transparent to a color.",
        parameters: [
            .required("color", \.color, summary: "The color at the end."),
            .optional(
                "degrees", \.degrees, in: -36_000...36_000, isLabeled: false,
                summary: "The direction in which the color grows, clockwise from upward."),
            .optional("start", \.start, in: 0...1, summary: "Where the gradient starts, as a fraction of the way."),
            .optional("end", \.end, in: 0...1, summary: "Where the gradient ends, as a fraction of the way."),
            .optional("mode", \.mode, summary: "How the color is blended with the picture."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard color.alpha > 0 else { return image }
        let pixels = image.pixels
        let shares = GradientShares(of: image.size, degrees: degrees, from: start, to: end)
        let (full, width, format, mode) = (color.floats, image.width, pixels.format, mode)
        let colors = try RowMemory<SIMD4<Float>>(count: width)
        let floats = try FloatRow(pixelCount: width)
        var canvas = try PixelBufferBuilder(copying: pixels)
        for y in 0..<image.height {
            try context.job.check()
            for x in 0..<width {
                var color = full
                color.w *= shares.share(x: x, y: y)
                colors.base[x] = color
            }
            canvas.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { row in
                    floats.change(row, columns: 0..<width, of: format) { row in
                        PixelFormat.rgbaFloat.blend(
                            colors.base, over: row.baseAddress!, pixelCount: width, mode: mode, opacity: 1)
                    }
                }
            }
        }
        return image.replacing(
            pixels: canvas.finish(
                isOpaque: pixels.isOpaque && mode.keepsOpacity(under: 0), isGray: pixels.isGray && color.isGray))
    }
}

/// The share of the color of a gradient at each pixel.
private struct GradientShares {
    /// The share at the center of the first pixel, and its changes from column to column and from row to row, without
    /// limits.
    private let origin: Double
    private let perColumn: Double
    private let perRow: Double

    init(of size: PixelSize, degrees: Double, from start: Double, to end: Double) {
        let turn = Turn(degrees: degrees)
        let (width, height) = (Double(size.width), Double(size.height))
        let length = width * abs(turn.sine) + height * abs(turn.cosine)
        // A sharp edge is a gradient that is much shorter than a pixel.
        let scale = 1 / max(end - start, 1e-6)
        perColumn = turn.sine / length * scale
        perRow = -turn.cosine / length * scale
        origin = (0.5 - start) * scale - (width - 1) / 2 * perColumn - (height - 1) / 2 * perRow
    }

    /// Returns the share of the color at the center of a pixel, 0 to 1.
    func share(x: Int, y: Int) -> Float {
        Float(min(max(origin + Double(x) * perColumn + Double(y) * perRow, 0), 1))
    }
}

extension Transformer where Self == GradientTransformer {
    /// Returns a transformer that draws a gradient over an image. See ``GradientTransformer``.
    public static func gradient(
        _ color: PixelColor, degrees: Double = 180, start: Double = 0, end: Double = 1, mode: BlendMode = .normal
    ) -> GradientTransformer {
        GradientTransformer(color, degrees: degrees, start: start, end: end, mode: mode)
    }
}
