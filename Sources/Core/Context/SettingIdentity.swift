/// The identity that a setting shares with its copies alone: values have none of their own.
final class SettingIdentity: Sendable {}
