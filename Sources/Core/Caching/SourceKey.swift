/// Where an image comes from, as caches know it: the URL in its normal form without credentials, or what a key filter
/// made of it. Purging a source purges all its variants.
///
/// Two of them are equal when all their bytes are, however Unicode composes their letters.
public struct SourceKey: Hashable, Sendable {
    /// The key itself.
    public let text: String

    /// A key of any text.
    public init(_ text: String) { self.text = text }

    public static func == (one: SourceKey, other: SourceKey) -> Bool { one.text.isSame(as: other.text) }
}
