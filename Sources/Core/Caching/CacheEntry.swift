/// Bytes in a cache, with what belongs to them.
public struct CacheEntry: Sendable, Hashable {
    /// The file: an original as received, or a variant as the serializer wrote it.
    public var data: Data
    /// Seconds since 1970 after which the entry is as good as absent; nil: as the cache says.
    public var expiration: Double?
    /// Facts kept beside the bytes, such as validators. A few hundred bytes at most.
    public var attributes: [String: String]
    /// Bytes of the application's own, kept beside the image; nil when there are none, which is not the same as empty.
    public var extendedData: Data?
    /// Words by which entries of many sources are removed together, such as the number of an album or a user. A handful
    /// at most. Storing without them takes away those that were there.
    public var tags: Set<String>

    /// An entry; with nothing but its bytes unless given.
    public init(
        data: Data, expiration: Double? = nil, attributes: [String: String] = [:], extendedData: Data? = nil,
        tags: Set<String> = []
    ) {
        self.data = data
        self.expiration = expiration
        self.attributes = attributes
        self.extendedData = extendedData
        self.tags = tags
    }
}
