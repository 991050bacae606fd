/// A transformer with a list of its parameters, from which its key is made. If its type is registered, it is also made
/// from text.
///
/// ```swift
/// struct Frame: RecipeTransformer {
///     var width = 4
///     var color = PixelColor.black
///
///     static let recipe = TransformerRecipe(
///         "frame", defaults: Frame(), summary: "Draws a frame around the picture.",
///         parameters: [
///             .required("width", \.width, in: 1...100, summary: "The width in pixels."),
///             .optional("color", \.color, summary: "The color."),
///         ])
///
///     func transform(_ image: Image, context: TransformContext) throws -> Image {
///         let size = PixelSize(width: image.width + 2 * width, height: image.height + 2 * width)
///         try context.check(size)
///         var canvas = try PixelBufferBuilder(layout: PixelLayout(size: size, format: image.pixels.format))
///         try canvas.fill(color)
///         try canvas.draw(image.pixels, x: width, y: width, job: context.job)
///         return image.replacing(pixels: canvas.finish())
///     }
/// }
/// manager.registry.transformers.add(Frame.self)
/// ```
///
/// Values outside the range of their parameter are refused before the transformer is called. A transformer that needs
/// more than its parameters, such as a store of fonts, takes it from the context (``TransformContext/values``).
public protocol RecipeTransformer: Transformer {
    /// The name and all parameters that the result depends on.
    static var recipe: TransformerRecipe<Self> { get }
}

extension RecipeTransformer {
    /// The canonical text of the transformer in a recipe.
    public var key: String { Self.recipe.key(of: self) }

    /// Throws `transformFailed` if a parameter that was set in code is invalid.
    ///
    /// Requests check the parameters before they load anything. Call this method first in `transform` if an invalid
    /// parameter would do harm when code calls `transform` directly.
    public func checkParameters() throws(ImageError) { try Self.recipe.check(self) }
}
