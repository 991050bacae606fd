/// What is known of a context key apart from the type of its value.
///
/// Its identity is the key's identity: two keys are one when their declarations are one object.
public final class ContextDeclaration: Sendable {
    /// The name, by which the key is set from a command line and printed.
    public let name: String
    /// Which identities of a request the value is part of.
    public let effects: ContextEffects
    /// One sentence for people.
    public let summary: String
    /// The default value as text.
    public let defaultText: String
    /// What may be written for a value, in a few words; nil when the value has no text form.
    public let syntax: String?

    private let parse: @Sendable (String) -> (any ContextValue)?

    init(
        name: String, effects: ContextEffects, summary: String, defaultText: String, syntax: String?,
        parse: @escaping @Sendable (String) -> (any ContextValue)?
    ) {
        self.name = name
        self.effects = effects
        self.summary = summary
        self.defaultText = defaultText
        self.syntax = syntax
        self.parse = parse
    }

    /// The setting that a text stands for: what `--set NAME=TEXT` does.
    ///
    /// Throws `processorFailed` when the text is no value of this key, or when the key has no text form.
    public func setting(from text: String) throws(ImageError) -> ContextSetting {
        guard let value = parse(text) else {
            throw ImageError(
                .processorFailed, stage: .resolve, subject: name, message: "'\(text)' is no value for it",
                advice: syntax.map { "write \($0)" } ?? "this one can be set in code alone")
        }
        return ContextSetting(declaration: self, value: value, text: value.contextText)
    }
}

extension ContextDeclaration: Hashable {
    public static func == (one: ContextDeclaration, other: ContextDeclaration) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
