/// An image to be stored, for a serializer to decide on its bytes.
public struct Serialization: Sendable {
    /// The decoded image, without false claims about its pixels; nil when an original is kept of which only a variant
    /// was decoded.
    public let image: Image?
    /// The bytes as received; nil when a variant is kept.
    public let original: Data?
    /// The key that the image is stored under.
    public let key: VariantKey
    /// The values in force.
    public let context: ResolvedContext
}
