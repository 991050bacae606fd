#if HTTP
public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The proxies that HTTP requests go through.
public struct ProxyPolicy: Sendable, Hashable {
    private enum Rule: String, CaseIterable {
        case none, environment, trustedEnvironment
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// No proxy: connections go to the servers themselves, whatever the environment says. The default.
    public static let none = ProxyPolicy(.none)

    /// The proxies that the environment names in `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy` and
    /// `ALL_PROXY`, except for the hosts in `no_proxy` or `NO_PROXY`, as curl reads them.
    ///
    /// With another ``AddressPolicy`` than ``AddressPolicy/any``, a request for which there is a proxy throws
    /// `addressRefused`: a proxy connects to whatever it likes.
    public static let environment = ProxyPolicy(.environment)

    /// The proxies of the environment as above, trusted to refuse the addresses that the request's ``AddressPolicy``
    /// refuses.
    ///
    /// With another policy than ``AddressPolicy/any``, all requests for which there is a proxy go through it, those to
    /// hosts in `no_proxy` too. The loader itself then refuses only hosts that are written as an address, hosts
    /// that end in a number, and `localhost`.
    public static let trustedEnvironment = ProxyPolicy(.trustedEnvironment)

    /// Whether the proxies are trusted to enforce the address policy.
    var isTrusted: Bool { rule == .trustedEnvironment }

    /// The proxy for a scheme; nil for none.
    /// - Parameters:
    ///   - isSecure: Whether the scheme is https.
    ///   - variable: The value of a variable of the environment; nil for one that is not set.
    func proxy(isSecure: Bool, environment variable: (String) -> String? = ProxyPolicy.variable) -> String? {
        guard rule != .none else { return nil }
        // Not HTTP_PROXY, which clients of a CGI program can set by a header.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        for name in names + ["all_proxy", "ALL_PROXY"] {
            if let value = variable(name), !value.isEmpty { return value }
        }
        return nil
    }

    /// A variable of the environment; nil for one that is not set.
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension ProxyPolicy: ContextValue {
    public var contextText: String { rule.rawValue }
    public static var contextSyntax: String { Rule.allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) {
        guard let rule = Rule(rawValue: contextText) else { return nil }
        self.init(rule)
    }
}
#endif
