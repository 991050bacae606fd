/// One key with a value: what a context is made of.
///
/// Each key has a short form beside it (`.thumbnailPixelSize(400, 400)`), so that contexts read as lists of wishes.
public struct ContextSetting: Sendable {
    /// The key.
    public let declaration: ContextDeclaration
    /// A value of the key's type.
    let value: any Sendable
    /// The value as text, without what is secret in it.
    public let text: String
    /// The value as text for identities.
    let identityText: IdentityText
    /// The identity of a setting of a key whose settings are told apart; its copies share it.
    var identity: SettingIdentity?

    /// Sets `key` to `value`.
    public static func set<Value>(_ key: ContextKey<Value>, to value: Value) -> ContextSetting {
        let text = key.identityText(value)
        return ContextSetting(
            declaration: key.declaration, value: value, text: text.shown, identityText: text,
            identity: key.tellsSettingsApart ? SettingIdentity() : nil)
    }

    /// Turns a flag on.
    public static func on(_ key: ContextKey<Bool>) -> ContextSetting { set(key, to: true) }

    /// Resets a key in this layer, whatever the layers below say: flags to false, optionals to nil, other values to
    /// their default. A key that is left out takes its value from below.
    public static func off<Value>(_ key: ContextKey<Value>) -> ContextSetting { set(key, to: key.offValue) }
}

/// The identity that a setting shares with its copies alone: values have none of their own.
final class SettingIdentity: Sendable {}
