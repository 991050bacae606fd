/// What tells a setting, with all its copies, from every other one: values have no identity that would.
final class SettingIdentity: Sendable {}
