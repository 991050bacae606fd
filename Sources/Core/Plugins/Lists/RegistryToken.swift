/// A token that identifies a registered element, for ``RegistryList/remove(_:)``.
public struct RegistryToken: Hashable, Sendable {
    private final class Identity: Sendable {}
    private let identity = Identity()

    public static func == (one: RegistryToken, other: RegistryToken) -> Bool { one.identity === other.identity }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
