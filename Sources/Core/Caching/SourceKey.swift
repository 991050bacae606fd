/// The identity of an image's source in caches: the URL in its normal form without credentials, or the result of a key
/// filter. Removing a source removes all its variants.
///
/// Two of them are equal when all their bytes are, however Unicode composes their letters.
public struct SourceKey: Sendable {
    /// The key itself, in full.
    ///
    /// A URL's query can hold secrets, and so can this text: print the ``description``, and store a keyed digest.
    public let text: String

    /// The text that may be printed; nil if the common rule says it.
    private let shownText: String?

    /// A key of any text.
    public init(_ text: String) { self.init(text, shown: nil) }

    /// - Parameter shown: What may be printed of it; nil for what the common rule says.
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
    /// The key without what may be secret in it, as ``ContextKey/harmlessParameters`` describes it.
    public var description: String { shownText ?? Redaction.standard.text(of: text) }

    /// The description, so that no dump holds more.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
