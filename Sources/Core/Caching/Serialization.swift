/// An image to be stored, for which a serializer chooses the bytes.
public struct Serialization: Sendable {
    /// The decoded image. Nil for an original, if the request wants only its bytes or a variant of it.
    ///
    /// The image's claims to be opaque or gray (``PixelBuffer/isOpaque``, ``PixelBuffer/isGray``) have been checked.
    public let image: Image?
    /// The bytes as received; nil if a variant is stored.
    public let original: Data?
    /// The key under which the image is stored.
    public let key: VariantKey
    /// The context values in force for the request.
    public let context: ResolvedContext
}
