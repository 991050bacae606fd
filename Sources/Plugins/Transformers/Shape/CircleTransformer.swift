public import Calotype

/// A transformer that cuts a circle out of a picture, for example for an avatar. Pixels outside become transparent.
///
/// The result is a square whose side is the shorter side of the picture.
public struct CircleTransformer: RecipeTransformer {
    /// The point of the picture that stays in view.
    public var anchor: Anchor
    /// The width of the border, which is drawn inside the edge.
    public var borderWidth: Length
    /// The color of the border.
    public var borderColor: PixelColor

    /// Creates a transformer that cuts out a circle.
    /// - Parameters:
    ///   - anchor: The point of the picture that stays in view. Default: `.center`.
    ///   - borderWidth: The width of the border, which is drawn inside the edge. Default: 0, no border.
    ///   - borderColor: The color of the border. Default: black.
    public init(anchor: Anchor = .center, borderWidth: Length = 0, borderColor: PixelColor = .black) {
        self.anchor = anchor
        self.borderWidth = borderWidth
        self.borderColor = borderColor
    }

    public static let recipe = TransformerRecipe(
        "circle", defaults: CircleTransformer(), summary: "Cuts a circle out of the picture.",
        parameters: [
            .optional("anchor", \.anchor, summary: "What stays in view."),
            .optional("border", \.borderWidth, summary: "The width of the border inside the edge."),
            .optional("color", \.borderColor, summary: "The color of the border."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        let square = try CropTransformer(.aspectRatio(width: 1, height: 1), anchor: anchor)
            .transform(image, context: context)
        return try RoundedCornersTransformer(radius: .percent(50), borderWidth: borderWidth, borderColor: borderColor)
            .transform(square, context: context)
    }
}

extension Transformer where Self == CircleTransformer {
    /// Returns a transformer that cuts out a circle. See ``CircleTransformer``.
    public static func circle(
        anchor: Anchor = .center, borderWidth: Length = 0, borderColor: PixelColor = .black
    ) -> CircleTransformer {
        CircleTransformer(anchor: anchor, borderWidth: borderWidth, borderColor: borderColor)
    }
}
