/// A transformation of one image into another.
///
/// A transformer is called from several threads at once, never under a lock, and may block. If it throws an error, the
/// request fails, and nothing is stored under the variant's key. The code of the failure is `transformFailed`, unless
/// the error is an ``ImageError`` or a `CancellationError`.
public protocol Transformer: Sendable {
    /// The name of the transformation with all its parameters. Transformers with equal keys make equal pixels.
    ///
    /// The key is part of the variant's cache key. It is also a recipe: a registered ``TransformerRecipe`` of the same
    /// name makes this transformer from the text, for example from `resize(320x240,fill)`.
    var key: String { get }

    /// Returns the transformed image.
    ///
    /// The image is always a still. The frames of an animation are passed one by one: the first at once, usually on the
    /// lane for transforming, and each later frame whenever it is requested, on the thread that requests it. All
    /// results must have the same size and format.
    ///
    /// Make pixels with a ``PixelBufferBuilder``. The claims that you pass to its `finish`, such as that the pixels are
    /// opaque, are checked, so that a transformed image is the same whether it comes from the transformer or from disk.
    ///
    /// Before you allocate memory for a size that the image does not have already, call `context.check(_:)`. In long
    /// work, call `context.job.check()` once for each row.
    func transform(_ image: Image, context: TransformContext) throws -> Image
}
