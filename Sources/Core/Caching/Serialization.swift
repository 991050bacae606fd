/// An image to be stored, for which a serializer chooses the bytes.
public struct Serialization: Sendable {
    /// The decoded image. Nil if an original is stored for a request that needs only its bytes or only a variant of it.
    ///
    /// If ``PixelBuffer/isOpaque`` or ``PixelBuffer/isGray`` is true, the pixels really are opaque or gray: wrong
    /// claims by code outside the library have been dropped.
    public let image: Image?
    /// The bytes as received; nil if a variant is stored.
    public let original: Data?
    /// The key under which the image is stored.
    public let key: VariantKey
    /// The context values in force for the request.
    public let context: ResolvedContext
}
