/// A part of the contract of transformers that ``checkTransformer(_:others:checks:)`` can check.
public enum TransformerCheck: String, Sendable, Hashable, CaseIterable {
    /// The key stays the same. If the transformer has a recipe, its key makes it again. If it needs other images, the
    /// key contains their URLs.
    case key
    /// Transformers with other parameters, which make other pixels, have other keys.
    case parameters
    /// Equal pixels are transformed equally, in each pixel format, and claims about pixels are true.
    case formats
    /// A transformer that joins another one (``JoiningTransformer``) makes the pixels of both, one after the other.
    case joining
    /// An image is the same whether it comes from the transformer, from memory or from disk.
    case storing
    /// The frames of an animation are transformed like stills, in any order.
    case animations
    /// A result that is larger than the request accepts is an error.
    case limits
    /// The work ends early if its job is cancelled or times out.
    case cancelling
    /// Concurrent calls do not interfere with each other.
    case threadSafety
}
