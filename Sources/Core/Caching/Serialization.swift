/// An image to be stored, for which a serializer chooses the bytes.
public struct Serialization: Sendable {
    /// The decoded image, whose claims about its pixels have been checked; nil if an original is stored of which only a
    /// variant was decoded.
    public let image: Image?
    /// The bytes as received; nil if a variant is stored.
    public let original: Data?
    /// The key under which the image is stored.
    public let key: VariantKey
    /// The values in force for the request.
    public let context: ResolvedContext
}
