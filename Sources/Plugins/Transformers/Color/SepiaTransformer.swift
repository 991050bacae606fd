public import Calotype

/// A transformer that gives images the colors of old photographs, as the CSS filter `sepia` does.
public struct SepiaTransformer: ColorFilter {
    /// The strength: 0 changes nothing.
    public var amount: Double

    /// Creates a transformer that gives images the colors of old photographs.
    /// - Parameter amount: The strength: 0 changes nothing. Default: 1. Range: 0 to 1.
    public init(_ amount: Double = 1) { self.amount = amount }

    public static let recipe = TransformerRecipe(
        "sepia", defaults: SepiaTransformer(1), summary: "Gives the colors of an old photograph.",
        parameters: [
            .optional("amount", \.amount, in: 0...1, isLabeled: false, summary: "The strength: 0 changes nothing.")
        ])

    public var matrix: ColorMatrix { .sepia(amount) }
}

extension Transformer where Self == SepiaTransformer {
    /// Returns a transformer that gives images the colors of old photographs. See ``SepiaTransformer``.
    public static func sepia(_ amount: Double = 1) -> SepiaTransformer { SepiaTransformer(amount) }
}
