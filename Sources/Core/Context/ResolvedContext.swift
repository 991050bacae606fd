/// The values in force for a request, each with the layer that it comes from.
///
/// A resolved context is immutable and shared. Reading a value searches the keys that are set, which are few.
public final class ResolvedContext: Sendable {
    /// A value in force.
    struct Entry: Sendable {
        let setting: ContextSetting
        let layer: ContextLayer
        /// The values that farther layers set for the same key, the nearest layer first.
        let hidden: [(layer: ContextLayer, text: String)]

        /// Creates the entry for a setting of a layer. The setting hides `below`, the entry of the farther layers.
        fileprivate init(_ setting: ContextSetting, layer: ContextLayer, over below: Entry? = nil) {
            self.setting = setting
            self.layer = layer
            hidden = below.map { [(layer: $0.layer, text: $0.setting.text)] + $0.hidden } ?? []
        }

        /// Creates the entry for another setting in the place of one in force.
        fileprivate init(_ setting: ContextSetting, inPlaceOf entry: Entry) {
            self.setting = setting
            layer = entry.layer
            hidden = entry.hidden
        }
    }

    /// The values in force, in no particular order: one for each key that a layer sets.
    let entries: [Entry]
    /// The keys of the entries, in the same order, stored separately for a fast search. Most of the values that a
    /// request reads are not set. A dictionary would be slower, because it must hash each key.
    private let keys: [ObjectIdentifier]

    /// The built-in defaults.
    public static let builtIn = ResolvedContext(layers: [])

    /// Creates a resolved context from layers, given from the farthest to the nearest.
    convenience init(layers: [(ContextLayer, ImageContext)]) {
        self.init(entries: [], adding: layers)
    }

    /// Creates a resolved context by adding layers to the entries of farther layers.
    /// - Parameter layers: The layers to add, from the farthest to the nearest.
    private init(entries below: [Entry], adding layers: [(ContextLayer, ImageContext)]) {
        var entries = below
        var keys = below.map { ObjectIdentifier($0.setting.declaration) }
        let most = layers.reduce(below.count) { $0 + $1.1.settings.count }
        entries.reserveCapacity(most)
        keys.reserveCapacity(most)
        for (layer, context) in layers {
            for setting in context.settings.values {
                let key = ObjectIdentifier(setting.declaration)
                if let index = keys.firstIndex(of: key) {
                    entries[index] = Entry(setting, layer: layer, over: entries[index])
                } else {
                    entries.append(Entry(setting, layer: layer))
                    keys.append(key)
                }
            }
        }
        self.entries = entries
        self.keys = keys
    }

    /// Creates a resolved context from a request's context alone, for example in tests of plugins.
    public convenience init(_ context: ImageContext) {
        self.init(layers: [(.request, context)])
    }

    /// The value in force: that of the nearest layer, or else the default.
    @inlinable
    public subscript<Value>(key: ContextKey<Value>) -> Value {
        // The lookup comes first: casting a missing value to an optional type would succeed, as "set to nil".
        guard let value = value(of: key.declaration) else { return key.defaultValue }
        return value as? Value ?? key.defaultValue
    }

    /// Returns the value that the nearest layer sets; nil if no layer sets one. This method is separate from the
    /// subscript, because the subscript is specialized for each type where it is used.
    @usableFromInline
    func value(of declaration: ContextDeclaration) -> (any Sendable)? {
        index(of: declaration).map { entries[$0].setting.value }
    }

    /// Returns the layer that the value in force comes from.
    public func layer<Value>(of key: ContextKey<Value>) -> ContextLayer {
        index(of: key.declaration).map { entries[$0].layer } ?? .builtIn
    }

    /// Returns the entry of the value in force; nil if no layer sets one.
    func entry(of declaration: ContextDeclaration) -> Entry? { index(of: declaration).map { entries[$0] } }

    /// Returns the index of a key's entry; nil if no layer sets the key. Compares declarations by address, not by name.
    private func index(of declaration: ContextDeclaration) -> Int? {
        keys.firstIndex(of: ObjectIdentifier(declaration))
    }

    /// Returns a copy of this resolved context in which the values of `context` override those of all existing layers.
    /// A loader uses this method to add values to a request.
    ///
    /// Pass the result to another loader in ``LoadRequest/context``. The added values are not part of any identity of
    /// the request: identities depend only on the ``OptionsProcessor`` and the layers before it.
    public func adding(_ layer: ContextLayer, _ context: ImageContext) -> ResolvedContext {
        ResolvedContext(entries: entries, adding: [(layer, context)])
    }

    /// Returns a copy with another setting in the place of the one in force, from the same layer.
    func replacing(_ setting: ContextSetting) -> ResolvedContext {
        let entries = entries.map { $0.setting.declaration == setting.declaration ? Entry(setting, inPlaceOf: $0) : $0 }
        return ResolvedContext(entries: entries, adding: [])
    }

    /// Returns the canonical text of the values whose keys have at least one of `effects`: `name=value` pairs, sorted
    /// by name and joined by `;`. Values that equal their default are left out.
    /// - Parameters:
    ///   - ignored: The effects whose keys are left out.
    ///   - keys: Further keys that are left out.
    func identity(
        of effects: ContextEffects, ignoring ignored: ContextEffects = [], except keys: Set<ContextDeclaration> = []
    ) -> IdentityText {
        let parts =
            entries
            .filter {
                let declaration = $0.setting.declaration
                return !declaration.effects.isDisjoint(with: effects)
                    && declaration.effects.isDisjoint(with: ignored) && !keys.contains(declaration)
                    && !$0.setting.identityText.full.isSame(as: declaration.defaultIdentityText)
            }
            .map { $0.setting.identityText.named($0.setting.declaration.name) }
            .sorted { $0.full < $1.full }
        return IdentityText(joining: parts, by: ";")
    }
}
