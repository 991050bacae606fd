/// Bytes in a cache, with what belongs to them.
public struct CacheEntry: Sendable, Hashable {
    /// The file: an original as received, or a variant as the serializer wrote it.
    public var data: Data
    /// Seconds since 1970 after which the entry is as good as absent; nil: as the cache says.
    public var expiration: Double?
    /// Facts kept beside the bytes, such as validators. A few hundred bytes at most.
    public var attributes: [String: String]
    /// Bytes of the application's own, kept beside the image; nil when there are none.
    public var extendedData: Data?

    /// An entry; without expiration, attributes and extended data unless given.
    public init(
        data: Data, expiration: Double? = nil, attributes: [String: String] = [:], extendedData: Data? = nil
    ) {
        self.data = data
        self.expiration = expiration
        self.attributes = attributes
        self.extendedData = extendedData
    }
}
