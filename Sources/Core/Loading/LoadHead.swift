/// What is known before the first byte.
public struct LoadHead: Sendable {
    /// Bytes in all, from the beginning of the image; nil when the source does not say. Not to be trusted.
    public var expectedByteCount: Int?
    /// The media type that the source names; a hint, the bytes decide.
    public var mimeType: String?
    /// By what a later request can ask whether this copy still holds.
    public var validators: Validators?
    /// Where in the image the first byte written stands: the request's resume offset when it was honoured, else 0.
    public var offset: Int
    /// Whether the bytes may be kept on disk. False for what is at hand anyway, or must not be kept.
    public var isStorable: Bool
    /// Whether the bytes are in a local file, which is read as quickly as a cache. They are then not copied to disk;
    /// images made from them are cached as usual. Default: false.
    public var isAtHand: Bool
    /// What HTTP says of how long this copy may be used; nil when it does not come over HTTP.
    public var caching: HTTPCacheRecord?

    /// A head; says nothing unless told.
    public init(
        expectedByteCount: Int? = nil, mimeType: String? = nil, validators: Validators? = nil, offset: Int = 0,
        isStorable: Bool = true, isAtHand: Bool = false, caching: HTTPCacheRecord? = nil
    ) {
        self.expectedByteCount = expectedByteCount
        self.mimeType = mimeType
        self.validators = validators
        self.offset = offset
        self.isStorable = isStorable
        self.isAtHand = isAtHand
        self.caching = caching
    }
}
