public import Calotype

/// A transformer that makes colors more or less intense, as the CSS filter `saturate` does.
public struct SaturationTransformer: ColorFilter {
    /// The factor: 0 gives grays, 1 changes nothing.
    public var factor: Double

    /// Creates a transformer that makes colors more or less intense.
    /// - Parameter factor: The factor: 0 gives grays, 1 changes nothing. Range: 0 to 100.
    public init(_ factor: Double) { self.factor = factor }

    public static let recipe = TransformerRecipe(
        "saturation", defaults: SaturationTransformer(1), summary: "Makes colors more or less intense.",
        parameters: [
            .required("factor", \.factor, in: 0...100, summary: "The factor: 0 gives grays, 1 changes nothing.")
        ])

    public var matrix: ColorMatrix { .saturation(factor) }
}

extension Transformer where Self == SaturationTransformer {
    /// Returns a transformer that makes colors more or less intense. See ``SaturationTransformer``.
    public static func saturation(_ factor: Double) -> SaturationTransformer { SaturationTransformer(factor) }
}
