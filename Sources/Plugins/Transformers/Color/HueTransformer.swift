public import Calotype

/// A transformer that turns colors around the color circle, as the CSS filter `hue-rotate` does.
public struct HueTransformer: ColorFilter {
    /// The angle in degrees.
    public var degrees: Double

    /// Creates a transformer that turns colors around the color circle.
    /// - Parameter degrees: The angle in degrees. Range: -360 to 360.
    public init(degrees: Double) { self.degrees = degrees }

    public static let recipe = TransformerRecipe(
        "hue", defaults: HueTransformer(degrees: 0), summary: "Turns colors around the color circle.",
        parameters: [
            .required("degrees", \.degrees, in: -360...360, summary: "The angle in degrees.")
        ])

    public var matrix: ColorMatrix { .hue(degrees: degrees) }
}

extension Transformer where Self == HueTransformer {
    /// Returns a transformer that turns colors around the color circle. See ``HueTransformer``.
    public static func hue(degrees: Double) -> HueTransformer { HueTransformer(degrees: degrees) }
}
