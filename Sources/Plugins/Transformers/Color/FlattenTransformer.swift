public import Calotype

/// A transformer that draws a picture over a background, so that it becomes opaque.
public struct FlattenTransformer: RecipeTransformer {
    /// The color of the background. Its alpha is ignored.
    public var background: PixelColor

    /// Creates a transformer that makes images opaque. Default: a white background.
    public init(background: PixelColor = .white) { self.background = background }

    public static let recipe = TransformerRecipe(
        "flatten", defaults: FlattenTransformer(), summary: "Draws the picture over a background.",
        parameters: [
            .optional("background", \.background, isLabeled: false, summary: "The color of the background.")
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard !image.pixels.isOpaque else { return image }
        var color = background
        color.alpha = 1
        let pixels = image.pixels
        let layout = PixelLayout(
            size: image.size, format: pixels.format, isOpaque: true, isGray: pixels.isGray && color.isGray)
        var canvas = try PixelBufferBuilder(mapping: pixels, to: layout)
        try canvas.fill(color, job: context.job)
        try canvas.draw(pixels, job: context.job)
        return image.replacing(pixels: canvas.finish())
    }
}

extension Transformer where Self == FlattenTransformer {
    /// Returns a transformer that makes an image opaque. See ``FlattenTransformer``.
    public static func flatten(background: PixelColor = .white) -> FlattenTransformer {
        FlattenTransformer(background: background)
    }
}
