/// An image to be stored, for which a serializer chooses the bytes.
public struct Serialization: Sendable {
    /// The decoded image; nil for an original that was not decoded, or was decoded only to make a variant. The image's
    /// claims that its pixels are opaque or gray have been checked.
    public let image: Image?
    /// The bytes as received; nil if a variant is stored.
    public let original: Data?
    /// The key under which the image is stored.
    public let key: VariantKey
    /// The context of the request, with the values in force.
    public let context: ResolvedContext
}
