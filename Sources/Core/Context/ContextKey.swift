/// A typed key for a value that a request, a manager or an options processor may set.
///
/// A key is declared once, as a static member, with all of its properties. Setting it to a value of another type does
/// not compile. Plugins declare keys in the same way, with the same features:
///
/// ```swift
/// extension ContextKey where Value == Int {
///     public static let paletteSize = ContextKey(
///         "paletteSize", default: 256, affects: .pixels, summary: "Colors of a reduced picture, 2 to 256.")
/// }
/// extension ContextSetting {
///     public static func paletteSize(_ count: Int) -> ContextSetting { .set(.paletteSize, to: count) }
/// }
/// ```
///
/// A plugin lists its keys in ``Plugin/keys``, so that they can be set by name.
///
/// A key has effects if it is created with a nonempty `affects`. The name of such a key must differ from the names of
/// all other keys with effects, because identities contain values by name. Keys without effects may share a name if no
/// plugin lists them, because code refers to the keys themselves and not to their names.
public struct ContextKey<Value: Sendable>: Sendable {
    /// The properties of the key apart from its type.
    public let declaration: ContextDeclaration
    /// The value if no ``ContextLayer`` sets one.
    public let defaultValue: Value
    /// The value that `.off` sets.
    let offValue: Value
    /// The function that returns a value as text. The text is canonical if the key has effects.
    let identityText: @Sendable (Value) -> IdentityText
    /// Whether each new setting of the key gets an identity of its own (``ContextSetting/identity``), which only its
    /// copies share.
    private(set) var tellsSettingsApart = false

    /// The name, which is printed and by which a command line sets the key.
    public var name: String { declaration.name }

    /// Creates a key for values without a text form: implementations of a protocol, closures, or lists of them.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as that of the static member. No two keys with effects may
    ///     have the same name.
    ///   - default: The value if no layer sets one, and the value that `.off` sets.
    ///   - affects: The aspects of a request that the value affects. They decide which identities of a request contain
    ///     the value (see ``ContextEffects``). Default: none.
    ///   - isKeptByImages: Whether an animation keeps the value for the frames that it has yet to decode. Pass false
    ///     for a value that can hold an image, a cache or a manager: the image could then retain itself. Default: true.
    ///   - summary: A description in one sentence.
    ///   - describe: Returns the value as readable text. If the key has effects, the text must be canonical: values
    ///     with equal texts count as equal.
    public init(
        _ name: String, default: Value, affects: ContextEffects = [], isKeptByImages: Bool = true, summary: String,
        describe: @escaping @Sendable (Value) -> String
    ) {
        declaration = ContextDeclaration(
            name: name, effects: affects, summary: summary, defaultText: IdentityText(describe(`default`)),
            off: (`default`, IdentityText(describe(`default`))), syntax: nil, isKeptByImages: isKeptByImages
        ) { _ in nil }
        defaultValue = `default`
        offValue = `default`
        identityText = { IdentityText(describe($0)) }
    }

    /// Creates a key for values whose printed text differs from the text that sets them, for example because the values
    /// contain secrets.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as that of the static member. No two keys with effects may
    ///     have the same name.
    ///   - default: The value if no layer sets one, and the value that `.off` sets.
    ///   - affects: The aspects of a request that the value affects. They decide which identities of a request contain
    ///     the value (see ``ContextEffects``). Default: none.
    ///   - summary: A description in one sentence.
    ///   - syntax: The accepted text in a few words, for messages.
    ///   - parse: Returns the value of a text; nil if the text is invalid.
    ///   - describe: Returns the value as text without secrets. The text must be canonical unless `identity` is given.
    ///   - identity: Returns the value as canonical text with its secrets, for identities. The text is compared in
    ///     memory and never printed; a disk cache stores a keyed digest of it. Default: the text of `describe`.
    ///   - exact: Returns the complete value as text. Needed only if `identity` omits data that is sent, such as the
    ///     value of a header. Failures are remembered under this text. Default: the text of `identity`.
    public init(
        _ name: String, default: Value, affects: ContextEffects = [], summary: String, syntax: String,
        parse: @escaping @Sendable (String) -> Value?, describe: @escaping @Sendable (Value) -> String,
        identity: (@Sendable (Value) -> String)? = nil, exact: (@Sendable (Value) -> String)? = nil
    ) {
        let identityText = { @Sendable (value: Value) -> IdentityText in
            let shown = describe(value)
            let full = identity?(value) ?? shown
            return IdentityText(full: full, shown: shown, exact: exact?(value) ?? full)
        }
        declaration = ContextDeclaration(
            name: name, effects: affects, summary: summary, defaultText: identityText(`default`),
            off: (`default`, identityText(`default`)), syntax: syntax, isSecret: true
        ) { text in
            parse(text).map { ($0, identityText($0)) }
        }
        defaultValue = `default`
        offValue = `default`
        self.identityText = identityText
    }

    private init(
        _ name: String, default: Value, off: Value, affects: ContextEffects, summary: String,
        syntax: String = Value.contextSyntax, isValid: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) where Value: ContextValue {
        declaration = ContextDeclaration(
            name: name, effects: affects, summary: summary, defaultText: IdentityText(`default`.contextText),
            off: (off, IdentityText(off.contextText)), syntax: syntax
        ) { text in
            Value(contextText: text).flatMap { isValid($0) ? ($0, IdentityText($0.contextText)) : nil }
        }
        defaultValue = `default`
        offValue = off
        identityText = { IdentityText($0.contextText) }
    }
}

extension ContextKey where Value: ContextValue {
    /// Creates a key for values with a text form. `.off` sets the default.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as that of the static member. No two keys with effects may
    ///     have the same name.
    ///   - default: The value if no layer sets one.
    ///   - affects: The aspects of a request that the value affects. They decide which identities of a request contain
    ///     the value (see ``ContextEffects``). Default: none.
    ///   - summary: A description in one sentence, with unit and range.
    public init(_ name: String, default: Value, affects: ContextEffects = [], summary: String) {
        self.init(name, default: `default`, off: `default`, affects: affects, summary: summary)
    }
}

extension ContextKey where Value: ContextValue & Comparable {
    /// Creates a key for numbers in a range. The text of a number outside the range is refused. Values set in code are
    /// not checked: code that reads the value must bring it into the range.
    public init(
        _ name: String, default: Value, in range: ClosedRange<Value>, affects: ContextEffects = [], summary: String
    ) {
        self.init(
            name, default: `default`, off: `default`, affects: affects, summary: summary, syntax: range.contextSyntax
        ) { range.contains($0) }
    }
}

extension ContextKey where Value == Bool {
    /// Creates a key for a flag. `.off` sets false, even if the default is true.
    public init(_ name: String, default: Bool = false, affects: ContextEffects = [], summary: String) {
        self.init(name, default: `default`, off: false, affects: affects, summary: summary)
    }
}

extension ContextKey {
    /// Creates a key for optional values with a text form; nil by default. `.off` sets nil.
    public init<Wrapped: ContextValue>(
        _ name: String, default: Value = nil, affects: ContextEffects = [], summary: String
    ) where Value == Wrapped? {
        self.init(name, default: `default`, off: nil, affects: affects, summary: summary)
    }

    /// Creates a key for optional numbers in a range; nil by default. `.off` sets nil. The text of a number outside the
    /// range is refused. Values set in code are not checked: code that reads the value must bring it into the range.
    public init<Wrapped: ContextValue & Comparable>(
        _ name: String, in range: ClosedRange<Wrapped>, affects: ContextEffects = [], summary: String
    ) where Value == Wrapped? {
        self.init(
            name, default: nil, off: nil, affects: affects, summary: summary, syntax: range.contextSyntax
        ) { $0.map(range.contains) ?? true }
    }

    /// Creates a key for a component, such as a cache or a listener; nil by default. No identity of a request contains
    /// the component. `.off` sets nil.
    ///
    /// The text form is the component's type.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as that of the static member.
    ///   - isKeptByImages: Whether an animation keeps the component for the frames that are not yet decoded. Pass true
    ///     if a coder uses the component, and false if the component can hold an image, a cache or a manager: the image
    ///     could then retain itself.
    ///   - summary: A description in one sentence.
    public init<Wrapped: Sendable>(
        component name: String, isKeptByImages: Bool, summary: String
    ) where Value == Wrapped? {
        self.init(name, default: nil, isKeptByImages: isKeptByImages, summary: summary) {
            $0.map(typeName) ?? "none"
        }
    }

    /// Creates a key for a component.
    /// - Parameter tellsSettingsApart: Whether separately created settings differ even if their values are equal.
    init<Wrapped: Sendable>(
        component name: String, tellsSettingsApart: Bool, isKeptByImages: Bool, summary: String
    ) where Value == Wrapped? {
        self.init(component: name, isKeptByImages: isKeptByImages, summary: summary)
        self.tellsSettingsApart = tellsSettingsApart
    }
}
