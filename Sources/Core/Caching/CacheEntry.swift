/// The bytes of an image in a cache, with their attributes.
public struct CacheEntry: Sendable, Hashable {
    /// The bytes of the image file: an original as received, an encoded variant, or the bytes that a
    /// ``CacheSerializer`` returned.
    public var data: Data
    /// The time from which the entry counts as absent, in seconds since 1970; nil if only the time to live of the cache
    /// applies.
    public var expiration: Double?
    /// Named texts that are stored with the image, such as the validators of a response. Together, they should take a
    /// few hundred bytes at most.
    public var attributes: [String: String]
    /// Bytes that the application stores beside the image; nil for none, which is not the same as empty bytes.
    public var extendedData: Data?
    /// The tags of the entry: words, such as the name of an album or a user, by which entries of many sources can be
    /// removed together. Use a handful at most. Storing an entry replaces the tags of the previous entry for its key,
    /// even if the new entry has no tags.
    public var tags: Set<String>

    /// Creates an entry. By default, the entry has only the bytes of the image, and none of the other properties.
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
