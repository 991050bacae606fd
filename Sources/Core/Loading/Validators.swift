/// The validators of cached data: an entity tag, a date of the last change, or both. With them, a later request can ask
/// the source whether the data is still valid. Source: RFC 9110, section 8.8.
///
/// Values are compared byte by byte (RFC 9110, section 8.8.3.2): texts that Unicode treats as equal can be different.
public struct Validators: Sendable, Hashable, Codable {
    /// The entity tag as sent, including the quotes and the `W/` of a weak tag; nil if the source has none.
    public var entityTag: String?
    /// The date of the last change, as the source wrote it; nil if unknown.
    public var lastModified: String?

    /// Creates validators. Pass nil for a validator that the source does not provide.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    public static func == (one: Validators, other: Validators) -> Bool {
        one.entityTag.isSame(as: other.entityTag) && one.lastModified.isSame(as: other.lastModified)
    }
}
