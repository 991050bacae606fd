/// The properties of a context key apart from the type of its value.
///
/// Declarations are compared by reference: two keys are the same if they have the same declaration object.
public final class ContextDeclaration: Sendable {
    /// The name, which is printed and by which a command line sets the key.
    public let name: String
    /// The aspects of a request that the value affects, such as its transfer or its pixels. They decide which
    /// identities of a request contain the value (see ``ContextEffects``).
    public let effects: ContextEffects
    /// A description in one sentence.
    public let summary: String
    /// The default value as text.
    public let defaultText: String
    /// The text forms of a value, in a few words; nil if the value has no text form.
    public let syntax: String?

    /// A value of the key's type, and its text.
    typealias Known = (value: any Sendable, text: IdentityText)

    /// The default value as it appears in the texts that identify requests.
    let defaultIdentityText: String
    /// Whether an animation keeps the value for the frames that it has yet to decode.
    let isKeptByImages: Bool
    /// Whether messages must not repeat the text given for a value.
    private let isSecret: Bool
    private let parse: @Sendable (String) -> Known?
    private let off: Known

    init(
        name: String, effects: ContextEffects, summary: String, defaultText: IdentityText, off: Known,
        syntax: String?, isSecret: Bool = false, isKeptByImages: Bool = true,
        parse: @escaping @Sendable (String) -> Known?
    ) {
        self.name = name
        self.effects = effects
        self.summary = summary
        self.defaultText = defaultText.shown
        defaultIdentityText = defaultText.full
        self.off = off
        self.syntax = syntax
        self.isSecret = isSecret
        self.isKeptByImages = isKeptByImages
        self.parse = parse
    }

    /// Returns a setting of this key whose value is parsed from a text, as for `--set NAME=TEXT`. Every key accepts the
    /// text `off`, with the meaning of ``ContextSetting/off(_:)``.
    ///
    /// Throws `invalidSetting` if the text is not a value of this key, or if the key has no text form.
    public func setting(from text: String) throws(ImageError) -> ContextSetting {
        guard let known = text == "off" ? off : parse(text) else {
            throw ImageError(
                .invalidSetting, stage: .resolve, subject: name,
                message: isSecret ? "does not accept the text that was given" : "does not accept the text '\(text)'",
                advice: "write \(syntax ?? "off; other values can be set in code only")")
        }
        return ContextSetting(
            declaration: self, value: known.value, text: known.text.shown, identityText: known.text)
    }
}

extension ContextDeclaration: Hashable {
    public static func == (one: ContextDeclaration, other: ContextDeclaration) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
