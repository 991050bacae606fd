public import Calotype

/// A transformer that removes color, as the CSS filter `grayscale` does.
public struct GrayscaleTransformer: ColorFilter {
    /// The part of the color that is removed: 0 changes nothing, 1 gives grays.
    public var amount: Double

    /// Creates a transformer that removes color.
    /// - Parameter amount: The part of the color that is removed: 0 changes nothing, 1 gives grays. Default: 1. Range:
    ///   0 to 1.
    public init(_ amount: Double = 1) { self.amount = amount }

    public static let recipe = TransformerRecipe(
        "grayscale", defaults: GrayscaleTransformer(1), summary: "Removes color.",
        parameters: [
            .optional(
                "amount", \.amount, in: 0...1, isLabeled: false,
                summary: "The part of the color that is removed: 0 changes nothing, 1 gives grays.")
        ])

    public var matrix: ColorMatrix { .grayscale(amount) }
}

extension Transformer where Self == GrayscaleTransformer {
    /// Returns a transformer that removes color. See ``GrayscaleTransformer``.
    public static func grayscale(_ amount: Double = 1) -> GrayscaleTransformer { GrayscaleTransformer(amount) }
}
