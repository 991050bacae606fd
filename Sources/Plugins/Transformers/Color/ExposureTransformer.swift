public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A transformer that makes a picture lighter or darker as another exposure of the camera would: it multiplies light.
///
/// Levels are converted to light and back by the curve of sRGB, whatever the picture's profile.
public struct ExposureTransformer: RecipeTransformer {
    /// The difference in stops.
    public var stops: Double

    /// Creates a transformer that multiplies light.
    /// - Parameter stops: The difference in stops, -20 to 20: 1 doubles the light, -1 halves it, 0 changes nothing.
    public init(stops: Double) { self.stops = stops }

    public static let recipe = TransformerRecipe(
        "exposure", defaults: ExposureTransformer(stops: 0), summary: "Multiplies the light.",
        parameters: [
            .required("stops", \.stops, in: -20...20, summary: "The difference in stops: 1 doubles the light.")
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard stops != 0 else { return image }
        let factor = exp2(stops)
        let curve = LevelCurve { SRGBCurve.level(SRGBCurve.light($0) * factor) }
        return image.replacing(pixels: try curve.applied(to: image.pixels, job: context.job))
    }
}

extension Transformer where Self == ExposureTransformer {
    /// Returns a transformer that multiplies light. See ``ExposureTransformer``.
    public static func exposure(stops: Double) -> ExposureTransformer { ExposureTransformer(stops: stops) }
}
