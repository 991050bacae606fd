/// Makes another image of an image.
///
/// Called on the lane for transforming, from several threads at once, never under a lock. What it throws ends the
/// request, with the code `transformFailed` unless it is an ``ImageError`` itself, and nothing is kept under the
/// variant's key.
public protocol Transformer: Sendable {
    /// The name of the transformation with all its parameters: transformers with equal keys make equal pixels.
    ///
    /// The key is part of the variant's cache key and is a recipe: the text of which a registered ``TransformerRecipe``
    /// of the same name makes this transformer, for example `resize(320x240,fill)`.
    var key: String { get }

    /// The transformed image. It is given stills: the frames of an animation one by one, the first at once and each of
    /// the others when it is asked for, as often as it is asked for, and on the thread that does; what it makes of
    /// them must be of one size and format.
    ///
    /// Pixels are made with a ``PixelBufferBuilder``. What its `finish` is told of them is checked: a transformed image
    /// is the same whether it comes from the transformer or from disk.
    ///
    /// Before memory is taken for a size that the image does not have already, ask `context.check(_:)`; in long work,
    /// call `context.job.check()` once for each row.
    func transform(_ image: Image, context: TransformContext) throws -> Image
}
