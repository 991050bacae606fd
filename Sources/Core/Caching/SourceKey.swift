/// The identity of an image's source in caches: the normalized URL without credentials, or the result of a key filter.
///
/// Removing a source removes all its variants. Two keys are equal only if they have the same bytes: different Unicode
/// forms of the same text are different keys.
public struct SourceKey: Sendable {
    /// The key as text, in full.
    ///
    /// The text may contain secrets from the query of a URL. Print the ``description`` instead, and store only a keyed
    /// digest.
    public let text: String

    /// The text that may be printed; nil to apply the standard redaction.
    private let shownText: String?

    /// Creates a key from any text.
    public init(_ text: String) { self.init(text, shown: nil) }

    /// Creates a key with the text that may be printed in its place.
    /// - Parameter shown: The text that may be printed; nil to apply the standard redaction.
    init(_ text: String, shown: String?) {
        self.text = text
        shownText = shown
    }
}

extension SourceKey: Hashable {
    public static func == (one: SourceKey, other: SourceKey) -> Bool { one.text.isSame(as: other.text) }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension SourceKey: CustomStringConvertible, CustomReflectable {
    /// The key without the parts that may be secret, as ``ContextKey/harmlessParameters`` describes.
    public var description: String { shownText ?? Redaction.standard.text(of: text) }

    /// A mirror of the description, so that a dump shows no more than that.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
