/// The validators by which a later request can ask whether a copy is still valid. Source: RFC 9110, section 8.8.
///
/// Two values are equal if all their bytes are (RFC 9110, section 8.8.3.2), regardless of Unicode composition.
public struct Validators: Sendable, Hashable, Codable {
    /// The entity tag, with its quotes and its `W/`.
    public var entityTag: String?
    /// The date of the last change, as the source wrote it.
    public var lastModified: String?

    /// Creates validators. Pass nil for those that the source does not have.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    public static func == (one: Validators, other: Validators) -> Bool {
        one.entityTag.isSame(as: other.entityTag) && one.lastModified.isSame(as: other.lastModified)
    }
}
