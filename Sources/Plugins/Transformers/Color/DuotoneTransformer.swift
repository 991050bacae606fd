public import Calotype

/// A transformer that maps the grays of a picture to mixtures of two colors.
public struct DuotoneTransformer: ColorFilter {
    /// The color that replaces black.
    public var dark: PixelColor
    /// The color that replaces white.
    public var light: PixelColor

    /// Creates a transformer that maps grays to mixtures of two colors. The alpha of the colors is ignored.
    public init(dark: PixelColor, light: PixelColor) {
        self.dark = dark
        self.light = light
    }

    public static let recipe = TransformerRecipe(
        "duotone", defaults: DuotoneTransformer(dark: .black, light: .white),
        summary: "Maps grays to mixtures of two colors.",
        parameters: [
            .required("dark", \.dark, summary: "The color that replaces black."),
            .required("light", \.light, summary: "The color that replaces white."),
        ])

    public var matrix: ColorMatrix { .duotone(dark: dark, light: light) }
}

extension Transformer where Self == DuotoneTransformer {
    /// Returns a transformer that maps grays to mixtures of two colors. See ``DuotoneTransformer``.
    public static func duotone(dark: PixelColor, light: PixelColor) -> DuotoneTransformer {
        DuotoneTransformer(dark: dark, light: light)
    }
}
