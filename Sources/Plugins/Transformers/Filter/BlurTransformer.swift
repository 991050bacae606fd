public import Calotype

/// A transformer that blurs a picture, with the weights of a normal distribution.
///
/// Colors are weighted by alpha. Beyond the edge, the picture continues with the color of the edge. The time does not
/// grow with the width of the blur.
public struct BlurTransformer: RecipeTransformer {
    /// The standard deviation in pixels.
    public var sigma: Double

    /// Creates a transformer that blurs images.
    /// - Parameter sigma: The standard deviation in pixels, 0 to 1,000; 0 changes nothing.
    public init(sigma: Double) { self.sigma = sigma }

    public static let recipe = TransformerRecipe(
        "blur", defaults: BlurTransformer(sigma: 0), summary: "Blurs the picture.",
        parameters: [.required("sigma", \.sigma, in: 0...1000, summary: "The standard deviation in pixels.")])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard sigma > 0 else { return image }
        return image.replacing(pixels: try GaussianBlur(sigma: sigma).applied(to: image.pixels, job: context.job))
    }
}

extension Transformer where Self == BlurTransformer {
    /// Returns a transformer that blurs an image. See ``BlurTransformer``.
    public static func blur(sigma: Double) -> BlurTransformer { BlurTransformer(sigma: sigma) }
}
