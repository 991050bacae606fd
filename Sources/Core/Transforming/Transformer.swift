/// Makes another image of an image.
///
/// Called on the lane for transforming, from several threads at once, never under a lock. What it throws ends the
/// request with the code `transformFailed`, and nothing is kept under the variant's key.
public protocol Transformer: Sendable {
    /// What it does, with all parameters: transformers with equal keys make equal pixels.
    ///
    /// The key is part of the variant's cache key and is a recipe: the text of which a registered ``TransformerRecipe``
    /// of the same name makes this transformer, for example `resize(320x240,fill)`.
    var key: String { get }

    /// The transformed image. In long work, call `job.check()` once for each row.
    func transform(_ image: Image, job: Job) throws -> Image
}
