/// The values in force for a request, each with the layer that it comes from.
///
/// Immutable and shared; asking for a value costs one look-up.
public final class ResolvedContext: Sendable {
    /// A value in force.
    struct Entry: Sendable {
        let setting: ContextSetting
        let layer: ContextLayer
        /// What farther layers said, the nearest first.
        let hidden: [(layer: ContextLayer, text: String)]
    }

    /// By key; a key that is left out by all layers is not here.
    let entries: [ContextDeclaration: Entry]

    /// Nothing but the defaults.
    public static let builtIn = ResolvedContext(layers: [])

    /// Merges layers, given from the farthest to the nearest.
    convenience init(layers: [(ContextLayer, ImageContext)]) {
        var entries: [ContextDeclaration: Entry] = [:]
        for (layer, context) in layers { Self.put(context, as: layer, over: &entries) }
        self.init(entries: entries)
    }

    private init(entries: [ContextDeclaration: Entry]) {
        self.entries = entries
    }

    /// A request's context by itself, as `manager.decode` and tests of plugins use it.
    public convenience init(_ context: ImageContext) {
        self.init(layers: [(.request, context)])
    }

    /// The value in force: that of the nearest layer, else the default.
    @inlinable
    public subscript<Value>(key: ContextKey<Value>) -> Value {
        // The look-up first: casting a missing value to an optional type would succeed, as "set to nil".
        guard let value = value(of: key.declaration) else { return key.defaultValue }
        return value as? Value ?? key.defaultValue
    }

    /// What the nearest layer says. Apart from the subscript, so that this is made for its type where it is used.
    @usableFromInline
    func value(of declaration: ContextDeclaration) -> (any Sendable)? { entries[declaration]?.setting.value }

    /// The layer that the value in force comes from.
    public func layer<Value>(of key: ContextKey<Value>) -> ContextLayer {
        entries[key.declaration]?.layer ?? .builtIn
    }

    /// The same values with `context` as a nearer layer.
    func adding(_ layer: ContextLayer, _ context: ImageContext) -> ResolvedContext {
        var entries = entries
        Self.put(context, as: layer, over: &entries)
        return ResolvedContext(entries: entries)
    }

    private static func put(
        _ context: ImageContext, as layer: ContextLayer, over entries: inout [ContextDeclaration: Entry]
    ) {
        for (declaration, setting) in context.settings {
            let below = entries[declaration]
            let hidden = below.map { [(layer: $0.layer, text: $0.setting.text)] + $0.hidden } ?? []
            entries[declaration] = Entry(setting: setting, layer: layer, hidden: hidden)
        }
    }

    /// The canonical text of all values that have one of `effects` and differ from their default, sorted by name:
    /// `name=value` joined by `;`. Keys in `except` are left out.
    func identity(of effects: ContextEffects, except: Set<ContextDeclaration> = []) -> String {
        entries.values
            .filter {
                let declaration = $0.setting.declaration
                return !declaration.effects.isDisjoint(with: effects) && !except.contains(declaration)
                    && $0.setting.text != declaration.defaultText
            }
            .map { "\($0.setting.declaration.name)=\($0.setting.text.identityEscaped)" }
            .sorted()
            .joined(separator: ";")
    }
}

extension String {
    /// The text with what separates the parts of an identity written in another way, so that no value can look like
    /// two.
    var identityEscaped: String {
        guard contains(where: { "%;=|".contains($0) }) else { return self }
        return reduce(into: "") { escaped, character in
            switch character {
            case "%": escaped += "%25"
            case ";": escaped += "%3B"
            case "=": escaped += "%3D"
            case "|": escaped += "%7C"
            default: escaped.append(character)
            }
        }
    }
}
