/// The network addresses that a loader may connect to.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.addressPolicy(.publicOnly)])
/// ```
///
/// A loader that opens connections calls ``allows(_:port:)`` for each address before connecting to it, and again before
/// each request on an open connection, which another policy may have allowed. Names and URLs are not judged, since they
/// can be written in many ways and a name can change its address at any time.
public struct AddressPolicy: Sendable {
    private let name: String
    private let rule: @Sendable (_ address: IPAddress, _ port: Int) -> Bool

    /// Creates a policy from a rule.
    /// - Parameters:
    ///   - name: The text of the value. Policies with equal names are equal.
    ///   - rule: Returns whether a connection is allowed. Called on threads of loaders; must return at once.
    package init(name: String, rule: @escaping @Sendable (_ address: IPAddress, _ port: Int) -> Bool) {
        self.name = name
        self.rule = rule
    }

    /// All addresses. The default.
    public static let any = AddressPolicy(name: "any") { _, _ in true }
    /// Only public addresses, as defined by ``IPAddress/isPublic``: neither this machine nor its own network.
    public static let publicOnly = AddressPolicy(name: "publicOnly") { address, _ in address.isPublic }

    /// Returns whether a loader may connect to a port of an address.
    public func allows(_ address: IPAddress, port: Int) -> Bool { rule(address, port) }
}

extension AddressPolicy: Hashable {
    public static func == (first: AddressPolicy, second: AddressPolicy) -> Bool { first.name == second.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension AddressPolicy: ContextValue {
    public var contextText: String { name }
    public static var contextSyntax: String { "any or publicOnly" }
    public init?(contextText: String) {
        guard let policy = [Self.any, Self.publicOnly].first(where: { $0.name == contextText }) else { return nil }
        self = policy
    }
}
