public import Calotype

/// A transformer that multiplies levels, as the CSS filter `brightness` does.
public struct BrightnessTransformer: ColorFilter {
    /// The factor: 0 gives black, 1 changes nothing.
    public var factor: Double

    /// Creates a transformer that multiplies levels.
    /// - Parameter factor: The factor: 0 gives black, 1 changes nothing. Range: 0 to 100.
    public init(_ factor: Double) { self.factor = factor }

    public static let recipe = TransformerRecipe(
        "brightness", defaults: BrightnessTransformer(1), summary: "Multiplies the levels.",
        parameters: [
            .required("factor", \.factor, in: 0...100, summary: "The factor: 0 gives black, 1 changes nothing.")
        ])

    public var matrix: ColorMatrix { .brightness(factor) }
}

extension Transformer where Self == BrightnessTransformer {
    /// Returns a transformer that multiplies levels. See ``BrightnessTransformer``.
    public static func brightness(_ factor: Double) -> BrightnessTransformer { BrightnessTransformer(factor) }
}
