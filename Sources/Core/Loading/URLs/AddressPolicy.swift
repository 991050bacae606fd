/// The network addresses that a loader may connect to.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.addressPolicy(.publicOnly)])
/// ```
///
/// A loader that opens connections calls ``allows(_:port:)`` for each address before it connects. It calls the method
/// again before each request on an open connection, because a request with another policy may have opened the
/// connection. Host names and URLs are not checked: the same address can be written in many ways, and a name can change
/// its address at any time.
public struct AddressPolicy: Sendable {
    private let name: String
    private let rule: @Sendable (_ address: IPAddress, _ port: Int) -> Bool

    /// Creates a policy from a rule.
    /// - Parameters:
    ///   - name: The text form of the policy. Policies with equal names are equal.
    ///   - rule: Returns whether a connection is allowed. It is called on threads of loaders, and must return at once.
    package init(name: String, rule: @escaping @Sendable (_ address: IPAddress, _ port: Int) -> Bool) {
        self.name = name
        self.rule = rule
    }

    /// The policy that allows all addresses. This is the default.
    public static let any = AddressPolicy(name: "any") { _, _ in true }
    /// The policy that allows only public addresses (``IPAddress/isPublic``). It excludes, for example, loopback
    /// addresses and the addresses of private networks.
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
