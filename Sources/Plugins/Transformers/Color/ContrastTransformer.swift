public import Calotype

/// A transformer that moves levels away from the middle, or towards it, as the CSS filter `contrast` does.
public struct ContrastTransformer: ColorFilter {
    /// The factor: 0 gives gray, 1 changes nothing.
    public var factor: Double

    /// Creates a transformer that moves levels away from the middle, or towards it.
    /// - Parameter factor: The factor: 0 gives gray, 1 changes nothing. Range: 0 to 100.
    public init(_ factor: Double) { self.factor = factor }

    public static let recipe = TransformerRecipe(
        "contrast", defaults: ContrastTransformer(1), summary: "Moves levels away from the middle, or towards it.",
        parameters: [
            .required("factor", \.factor, in: 0...100, summary: "The factor: 0 gives gray, 1 changes nothing.")
        ])

    public var matrix: ColorMatrix { .contrast(factor) }
}

extension Transformer where Self == ContrastTransformer {
    /// Returns a transformer that moves levels away from the middle, or towards it. See ``ContrastTransformer``.
    public static func contrast(_ factor: Double) -> ContrastTransformer { ContrastTransformer(factor) }
}
