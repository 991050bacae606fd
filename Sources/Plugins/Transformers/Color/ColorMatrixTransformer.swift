public import Calotype

/// A transformer that maps the colors of each pixel by any matrix.
public struct ColorMatrixTransformer: ColorFilter {
    public var matrix: ColorMatrix

    /// Creates a transformer that maps colors.
    public init(_ matrix: ColorMatrix) { self.matrix = matrix }

    public static let recipe = TransformerRecipe(
        "colorMatrix", defaults: ColorMatrixTransformer(.identity), summary: "Maps colors by a matrix.",
        parameters: [
            .required(
                "matrix", \.matrix,
                summary: "The weights of red, green, blue and alpha and a constant, for each channel of the result.")
        ])
}

extension ColorMatrix: ContextValue {
    /// The 20 coefficients, joined by colons.
    public var contextText: String { coefficients.map(\.contextText).joined(separator: ":") }
    public static var contextSyntax: String { "20 numbers joined by colons" }

    public init?(contextText: String) {
        let parts = contextText.split(separator: ":", omittingEmptySubsequences: false)
        let coefficients = parts.compactMap { Double(contextText: String($0)) }
        guard parts.count == 20, coefficients.count == 20 else { return nil }
        self.init(coefficients)
    }
}

extension Transformer where Self == ColorMatrixTransformer {
    /// Returns a transformer that maps colors by a matrix. See ``ColorMatrixTransformer``.
    public static func colorMatrix(_ matrix: ColorMatrix) -> ColorMatrixTransformer { ColorMatrixTransformer(matrix) }
}
