/// Values for typed keys: all that can be wished of a request, or be made the rule of a manager.
///
/// ```swift
/// let context: ImageContext = [.thumbnailPixelSize(400, 400), .off(.cacheSerializer)]
/// ```
///
/// Where a key is given twice, the later value holds.
public struct ImageContext: Sendable {
    /// At most one for each key.
    private(set) var settings: [ContextDeclaration: ContextSetting] = [:]

    /// A context that says nothing.
    public init() {}

    /// The values of `settings`, the later ones over the earlier ones.
    public init(_ settings: some Sequence<ContextSetting>) {
        for setting in settings { set(setting) }
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { settings.isEmpty }

    /// The value for a key; nil when this context leaves it out. Setting nil leaves it out from now on.
    public subscript<Value>(key: ContextKey<Value>) -> Value? {
        get {
            // The look-up first: casting a missing value to an optional type would succeed, as "set to nil".
            guard let setting = settings[key.declaration] else { return nil }
            return setting.value as? Value
        }
        set { settings[key.declaration] = newValue.map { .set(key, to: $0) } }
    }

    /// Sets one value, over what there was.
    public mutating func set(_ setting: ContextSetting) {
        settings[setting.declaration] = setting
    }

    /// This context with the values of `other` over it.
    public func merging(_ other: ImageContext) -> ImageContext {
        var merged = self
        merged.settings.merge(other.settings) { _, new in new }
        return merged
    }
}

extension ImageContext: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: ContextSetting...) {
        self.init(elements)
    }
}
