/// A set of values for typed keys, which configures a request or a manager.
///
/// ```swift
/// let context: ImageContext = [.thumbnailPixelSize(400, 400), .off(.cacheSerializer)]
/// ```
///
/// If a key is given twice, the later value wins.
public struct ImageContext: Sendable {
    /// The settings, at most one for each key.
    private(set) var settings: [ContextDeclaration: ContextSetting] = [:]

    /// Creates an empty context.
    public init() {}

    /// Creates a context of settings. Of several settings of one key, the last one wins.
    public init(_ settings: some Sequence<ContextSetting>) {
        for setting in settings { set(setting) }
    }

    /// Whether the context sets no value.
    public var isEmpty: Bool { settings.isEmpty }

    /// The value for a key; nil if this context does not set it. Setting nil removes the value.
    public subscript<Value>(key: ContextKey<Value>) -> Value? {
        get {
            // The lookup comes first: casting a missing value to an optional type would succeed, as "set to nil".
            guard let setting = settings[key.declaration] else { return nil }
            return setting.value as? Value
        }
        set { settings[key.declaration] = newValue.map { .set(key, to: $0) } }
    }

    /// Sets a value, and replaces an earlier value of its key.
    public mutating func set(_ setting: ContextSetting) {
        settings[setting.declaration] = setting
    }

    /// Returns the values of this context and of `other`. If both set a key, the value of `other` wins.
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
