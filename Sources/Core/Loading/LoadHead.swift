/// The facts about a response that are known before its first byte.
public struct LoadHead: Sendable {
    /// The total number of bytes, from the beginning of the image; nil if the source does not state it. It is not
    /// trusted.
    public var expectedByteCount: Int?
    /// The media type that the source states. It is a hint; the bytes decide.
    public var mimeType: String?
    /// The validators by which a later request can ask whether this copy is still valid.
    public var validators: Validators?
    /// The position in the image of the first byte written: the request's resume offset if it was honored, otherwise 0.
    public var offset: Int
    /// Whether the bytes may be stored on disk. False for bytes that are at hand anyway, or must not be stored.
    public var isStorable: Bool
    /// Whether the bytes are in a local file, which is read as quickly as a cache. They are then not copied to disk;
    /// images made from them are cached as usual. Default: false.
    public var isAtHand: Bool
    /// The HTTP rules for the freshness of this copy; nil if it does not come over HTTP.
    public var caching: HTTPCacheRecord?

    /// Creates a head. All facts are optional.
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
