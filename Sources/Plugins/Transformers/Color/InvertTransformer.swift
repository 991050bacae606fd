public import Calotype

/// A transformer that replaces colors by their complements, as the CSS filter `invert` does.
public struct InvertTransformer: ColorFilter {
    /// The strength: 0 changes nothing, 1 gives the complement.
    public var amount: Double

    /// Creates a transformer that replaces colors by their complements.
    /// - Parameter amount: The strength: 0 changes nothing, 1 gives the complement. Default: 1. Range: 0 to 1.
    public init(_ amount: Double = 1) { self.amount = amount }

    public static let recipe = TransformerRecipe(
        "invert", defaults: InvertTransformer(1), summary: "Replaces colors by their complements.",
        parameters: [
            .optional(
                "amount", \.amount, in: 0...1, isLabeled: false,
                summary: "The strength: 0 changes nothing, 1 gives the complement.")
        ])

    public var matrix: ColorMatrix { .invert(amount) }
}

extension Transformer where Self == InvertTransformer {
    /// Returns a transformer that replaces colors by their complements. See ``InvertTransformer``.
    public static func invert(_ amount: Double = 1) -> InvertTransformer { InvertTransformer(amount) }
}
