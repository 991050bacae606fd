public import Calotype

/// A transformer that draws a color over a picture.
public struct TintTransformer: RecipeTransformer {
    /// The color.
    public var color: PixelColor
    /// The way in which the color is blended with the picture.
    public var mode: BlendMode

    /// Creates a transformer that draws a color over images.
    /// - Parameters:
    ///   - color: The color. If it is transparent, the image is not changed.
    ///   - mode: The way in which the color is blended with the picture. Default: `.sourceIn`, which gives all visible
    ///     pixels the color, as for template icons.
    public init(_ color: PixelColor, mode: BlendMode = .sourceIn) {
        self.color = color
        self.mode = mode
    }

    public static let recipe = TransformerRecipe(
        "tint", defaults: TintTransformer(.clear), summary: "Draws a color over the picture.",
        parameters: [
            .required("color", \.color, summary: "The color."),
            .optional("mode", \.mode, isLabeled: false, summary: "How the color is blended with the picture."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard color.alpha > 0 else { return image }
        let pixels = image.pixels
        var row = try PixelBufferBuilder(
            layout: PixelLayout(size: PixelSize(width: image.width, height: 1), format: pixels.format))
        try row.fill(color)
        let colored = row.finish()
        var canvas = try PixelBufferBuilder(copying: pixels)
        for y in 0..<image.height {
            try canvas.draw(colored, y: y, mode: mode, job: context.job)
        }
        return image.replacing(
            pixels: canvas.finish(
                isOpaque: pixels.isOpaque && mode.keepsOpacity(under: color.floats.w),
                isGray: pixels.isGray && color.isGray))
    }
}

extension Transformer where Self == TintTransformer {
    /// Returns a transformer that draws a color over an image. See ``TintTransformer``.
    public static func tint(_ color: PixelColor, mode: BlendMode = .sourceIn) -> TintTransformer {
        TintTransformer(color, mode: mode)
    }
}
