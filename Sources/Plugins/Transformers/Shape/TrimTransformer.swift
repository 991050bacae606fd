public import Calotype

/// A transformer that cuts off edges of one color.
///
/// The picture that remains is the smallest one with all pixels that differ from the color. Colors are weighted by
/// alpha, so all transparent pixels count as equal. A picture of one color stays as it is.
public struct TrimTransformer: RecipeTransformer {
    /// The color of the edges; nil for the color of the top left pixel.
    public var color: PixelColor?
    /// The largest difference from the color that is cut off, as a part of the full level.
    public var tolerance: Double

    /// Creates a transformer that cuts off edges of one color.
    ///
    /// The frames of an animation lose the edges of its first frame.
    /// - Parameters:
    ///   - tolerance: The largest difference from the color that is cut off, in any channel, as a part of the full
    ///     level: 0 to 1. Default: 0.04, which allows for the losses of JPEG.
    ///   - color: The color of the edges. Default: nil, the color of the top left pixel.
    public init(tolerance: Double = 0.04, color: PixelColor? = nil) {
        self.tolerance = tolerance
        self.color = color
    }

    public static let recipe = TransformerRecipe(
        "trim", defaults: TrimTransformer(), summary: "Cuts off edges of one color.",
        parameters: [
            .optional(
                "tolerance", \.tolerance, in: 0...1, isLabeled: false,
                summary: "The largest difference from the color, as a part of the full level."),
            .optional("color", \.color, summary: "The color; none for that of the top left pixel."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        let edges = try PictureEdges(
            context.firstFrame ?? image.pixels, color: color?.floats, tolerance: Float(tolerance))
        guard let region = try edges.inside(job: context.job) else { return image }
        return image.replacing(pixels: try image.pixels.cropped(to: region, job: context.job))
    }
}

extension Transformer where Self == TrimTransformer {
    /// Returns a transformer that cuts off edges of one color. See ``TrimTransformer``.
    public static func trim(tolerance: Double = 0.04, color: PixelColor? = nil) -> TrimTransformer {
        TrimTransformer(tolerance: tolerance, color: color)
    }
}
