public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A transformer that makes the middle levels of a picture lighter or darker. Black and white stay the same.
public struct GammaTransformer: RecipeTransformer {
    /// The gamma value.
    public var value: Double

    /// Creates a transformer that raises each level to the power of `1 / value`, where full is 1.
    /// - Parameter value: The gamma value, 0.01 to 100. Values above 1 make a picture lighter; 1 changes nothing.
    public init(_ value: Double) { self.value = value }

    public static let recipe = TransformerRecipe(
        "gamma", defaults: GammaTransformer(1), summary: "Makes middle levels lighter or darker.",
        parameters: [
            .required("value", \.value, in: 0.01...100, summary: "The gamma value: above 1 is lighter, below darker.")
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard value != 1 else { return image }
        let exponent = 1 / value
        let curve = LevelCurve { pow($0, exponent) }
        return image.replacing(pixels: try curve.applied(to: image.pixels, job: context.job))
    }
}

extension Transformer where Self == GammaTransformer {
    /// Returns a transformer that makes middle levels lighter or darker. See ``GammaTransformer``.
    public static func gamma(_ value: Double) -> GammaTransformer { GammaTransformer(value) }
}
