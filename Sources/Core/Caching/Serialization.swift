/// An image to be stored, for which a serializer chooses the bytes.
public struct Serialization: Sendable {
    /// The decoded image. Nil if an original is stored and the request needs only its bytes, or only a variant of it.
    ///
    /// False claims that the pixels are opaque or gray (``PixelBuffer/isOpaque``, ``PixelBuffer/isGray``) have been
    /// dropped.
    public let image: Image?
    /// The bytes as received; nil if a variant is stored.
    public let original: Data?
    /// The key under which the image is stored.
    public let key: VariantKey
    /// The context values in force for the request.
    public let context: ResolvedContext
}
