/// A transformation of one image into another.
///
/// A transformer is called from several threads at once, never under a lock, and may block. If it throws an error, the
/// request fails, and nothing is stored under the cache key of the transformed image. The code of the failure is
/// `transformFailed`, unless the error is an ``ImageError`` or a `CancellationError`.
public protocol Transformer: Sendable {
    /// The name of the transformation with all its parameters. Transformers with equal keys must make equal pixels.
    ///
    /// This key is part of the cache key of the transformed image. A ``RecipeTransformer`` makes it from its
    /// parameters, for example `resize(320x240,fill)`, and can be made from it.
    var key: String { get }

    /// Returns the transformed image.
    ///
    /// The image is always an upright still. If the request keeps the orientation of the file, the image is turned
    /// upright first, and its result is turned back. The frames of an animation are passed one by one. The first frame
    /// is passed at once, usually on a thread for transforming. Each later frame is passed when it is requested, on the
    /// thread that requests it. All results must have the same size and format.
    ///
    /// Make pixels with a ``PixelBufferBuilder``. What you state about the pixels in the call of `finish`, for example
    /// that they are opaque, is checked. A transformed image is therefore the same whether it comes from the
    /// transformer or from disk.
    ///
    /// Before you allocate memory for a size that the image does not have already, call `context.check(_:)`. In long
    /// work, call `context.job.check()` once for each row.
    func transform(_ image: Image, context: TransformContext) throws -> Image
}
