/// A key with a value: an element of a context.
///
/// Each key comes with a static member of this type that makes its settings, such as `.thumbnailPixelSize(400, 400)`.
/// A context therefore reads as a list of settings.
public struct ContextSetting: Sendable {
    /// The declaration of the key.
    public let declaration: ContextDeclaration
    /// The value, which has the type of the key's values.
    let value: any Sendable
    /// The value as text, without secrets.
    public let text: String
    /// The value as text for identities.
    let identityText: IdentityText
    /// An object that distinguishes this setting and its copies from other settings with an equal value. Nil unless
    /// ``ContextKey/tellsSettingsApart`` is true for the key.
    var identity: SettingIdentity?

    /// Returns a setting of `key` to `value`.
    public static func set<Value>(_ key: ContextKey<Value>, to value: Value) -> ContextSetting {
        let text = key.identityText(value)
        return ContextSetting(
            declaration: key.declaration, value: value, text: text.shown, identityText: text,
            identity: key.tellsSettingsApart ? SettingIdentity() : nil)
    }

    /// Returns a setting that turns a flag on.
    public static func on(_ key: ContextKey<Bool>) -> ContextSetting { set(key, to: true) }

    /// Returns a setting that resets a key: a flag to false, an optional to nil, any other value to its default. The
    /// setting overrides the values that farther layers (``ContextLayer``) set for the key. A context without a setting
    /// of the key leaves those values in force.
    public static func off<Value>(_ key: ContextKey<Value>) -> ContextSetting { set(key, to: key.offValue) }
}

/// The identity of a setting and its copies. Settings are values, and so have no identity of their own.
final class SettingIdentity: Sendable {}
