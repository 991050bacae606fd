/// The facts about a response that are known before its first byte.
public struct LoadHead: Sendable {
    /// The number of bytes of the whole image, even if the load resumes at an offset; nil if the source does not state
    /// it. A number above `maxInputBytes` makes the load fail at once; otherwise the number is only a hint.
    public var expectedByteCount: Int?
    /// The media type that the source states; nil if it states none. The type is only a hint, because the bytes
    /// determine the format of the image.
    public var mimeType: String?
    /// The validators with which a later request can ask whether the loaded data is still valid; nil if there are none.
    public var validators: Validators?
    /// The offset, in the image, of the first byte that is written. This is the request's ``LoadRequest/resumeOffset``
    /// if the source continues there, otherwise 0.
    public var offset: Int
    /// Whether the bytes, and images made from them, may be stored on disk. Set this to false for bytes that must not
    /// be stored, or that can be loaded again as quickly as from a disk cache. Default: true.
    public var isStorable: Bool
    /// Whether the bytes are in a local file, which is read as quickly as a disk cache. The bytes are then not copied
    /// to the disk cache, but images made from them are stored as usual. Default: false.
    public var isAtHand: Bool
    /// The record that determines how long the loaded data is fresh; nil if the data was not loaded over HTTP.
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
