/// The name of a value that a request, a manager or an options processor may set.
///
/// A key is declared once, as a static member, with everything there is to say of it; setting it with a value of
/// another type does not compile. Keys of plugins are declared the same way and lack nothing:
///
/// ```swift
/// extension ContextKey where Value == Int {
///     public static let paletteSize = ContextKey(
///         "paletteSize", default: 256, affects: .pixels, summary: "Colours of a reduced picture, 2 to 256.")
/// }
/// extension ContextSetting {
///     public static func paletteSize(_ count: Int) -> ContextSetting { .set(.paletteSize, to: count) }
/// }
/// ```
///
/// A plugin lists its keys in ``Plugin/keys``, so that they can be set by name and are explained.
///
/// A key that affects anything needs a name that no other such key has: identities have values under names, and would
/// take two for one. Other keys of one name are distinct in code, but not when they are set or read by name.
public struct ContextKey<Value: Sendable>: Sendable {
    /// The properties of the key apart from its type.
    public let declaration: ContextDeclaration
    /// The value where no layer sets one.
    public let defaultValue: Value
    /// The value that `.off` sets.
    let offValue: Value
    /// A value as text; canonical where the key affects an identity.
    let identityText: @Sendable (Value) -> IdentityText
    /// Whether each setting of it is told from all others, whatever its value.
    private(set) var tellsSettingsApart = false

    /// The name, by which it is set from a command line and printed.
    public var name: String { declaration.name }

    /// A key of something without a text form: a protocol's implementation, a closure, a list of them.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as the static member's; of keys that affect anything no other
    ///     may have it.
    ///   - default: The value where no layer sets one, which is also what `.off` means.
    ///   - affects: Which identities of a request the value is part of. Default: none.
    ///   - isKeptByImages: Whether an animation keeps the value for the frames that it has yet to decode. Pass false
    ///     for a value that can hold an image, a cache or a manager: it would hold itself in memory. Default: true.
    ///   - summary: One sentence for people.
    ///   - describe: The value as text: for people, and, where it affects anything, canonical: equal texts are taken
    ///     for equal values.
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

    /// A key of something that is not printed as it is written, for example because it holds secrets.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as the static member's; of keys that affect anything no other
    ///     may have it.
    ///   - default: The value where no layer sets one, which is also what `.off` means.
    ///   - affects: Which identities of a request the value is part of. Default: none.
    ///   - summary: One sentence for people.
    ///   - syntax: What may be written, in a few words: for messages.
    ///   - parse: The value of a text; nil when it is none.
    ///   - describe: The value as text: without secrets, and canonical as above unless `identity` is given.
    ///   - identity: The value as text for identities: canonical, with its secrets. It is compared in memory and never
    ///     printed; what a disk cache has of it is a keyed digest. Default: as `describe` says.
    ///   - exact: The value with all that is sent for it, where `identity` leaves out some: failures are remembered of
    ///     just that. Default: as `identity` says.
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
    /// A key of a value that has a text form. `.off` is the default.
    /// - Parameters:
    ///   - name: The name, in lower camel case, the same as the static member's; of keys that affect anything no other
    ///     may have it.
    ///   - default: The value where no layer sets one.
    ///   - affects: Which identities of a request the value is part of. Default: none.
    ///   - summary: One sentence for people, with unit and range.
    public init(_ name: String, default: Value, affects: ContextEffects = [], summary: String) {
        self.init(name, default: `default`, off: `default`, affects: affects, summary: summary)
    }
}

extension ContextKey where Value: ContextValue & Comparable {
    /// A key of a number within bounds. Setting it by name accepts no other number; a value that code sets is checked
    /// where it is read.
    public init(
        _ name: String, default: Value, in range: ClosedRange<Value>, affects: ContextEffects = [], summary: String
    ) {
        self.init(
            name, default: `default`, off: `default`, affects: affects, summary: summary, syntax: range.contextSyntax
        ) { range.contains($0) }
    }
}

extension ClosedRange where Bound: ContextValue {
    /// The text that may be written for a number within the bounds.
    fileprivate var contextSyntax: String {
        let (lowest, highest) = (lowerBound.contextText, upperBound.contextText)
        let bounds = highest == Int.max.contextText ? "at least \(lowest)" : "\(lowest) to \(highest)"
        return "\(Bound.contextSyntax), \(bounds)"
    }
}

extension ContextKey where Value == Bool {
    /// A flag; off unless `default` says otherwise. `.off` is false, whatever the default.
    public init(_ name: String, default: Bool = false, affects: ContextEffects = [], summary: String) {
        self.init(name, default: `default`, off: false, affects: affects, summary: summary)
    }
}

extension ContextKey {
    /// A key of an optional value that has a text form; nil by default. `.off` is nil.
    public init<Wrapped: ContextValue>(
        _ name: String, default: Value = nil, affects: ContextEffects = [], summary: String
    ) where Value == Wrapped? {
        self.init(name, default: `default`, off: nil, affects: affects, summary: summary)
    }

    /// A key of an optional number within bounds; nil by default. `.off` is nil. Text outside the
    /// bounds is refused; values set in code are not checked, and readers must bring them into the bounds.
    public init<Wrapped: ContextValue & Comparable>(
        _ name: String, in range: ClosedRange<Wrapped>, affects: ContextEffects = [], summary: String
    ) where Value == Wrapped? {
        self.init(
            name, default: nil, off: nil, affects: affects, summary: summary, syntax: range.contextSyntax
        ) { $0.map(range.contains) ?? true }
    }

    /// A key of a component, such as a cache or a listener, which is part of no identity; nil by default. `.off` is
    /// nil. Images do not keep the component.
    ///
    /// As text it is the component's type.
    public init<Wrapped: Sendable>(component name: String, summary: String) where Value == Wrapped? {
        self.init(component: name, tellsSettingsApart: false, summary: summary)
    }

    /// - Parameter tellsSettingsApart: Whether each setting of it is told from all others, whatever its value.
    init<Wrapped: Sendable>(
        component name: String, tellsSettingsApart: Bool, summary: String
    ) where Value == Wrapped? {
        self.init(name, default: nil, isKeptByImages: false, summary: summary) { $0.map(typeName) ?? "none" }
        self.tellsSettingsApart = tellsSettingsApart
    }
}
