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

    /// The policy without proxies: connections go directly to the servers, regardless of the environment. This is the
    /// default.
    public static let none = ProxyPolicy(.none)

    /// The policy of curl: the proxies in the environment variables `http_proxy`, `https_proxy`, `HTTPS_PROXY`,
    /// `all_proxy` and `ALL_PROXY` are used, except for the hosts in `no_proxy` or `NO_PROXY`.
    ///
    /// With an ``AddressPolicy`` other than ``AddressPolicy/any``, a request throws `addressRefused` if the environment
    /// sets a proxy for its scheme, even if its host is in `no_proxy`. The reason is that the loader cannot check the
    /// addresses that a proxy connects to.
    public static let environment = ProxyPolicy(.environment)

    /// The policy that uses the proxies of the environment, and trusts them to apply the request's ``AddressPolicy``.
    ///
    /// The environment variables are those of ``environment``. With an address policy other than ``AddressPolicy/any``,
    /// a request goes through the proxy that the environment sets for its scheme, even if its host is in `no_proxy`.
    /// The loader itself then refuses only hosts of three kinds: `localhost` and its subdomains, IP addresses that the
    /// address policy refuses, and other hosts that end in a number.
    public static let trustedEnvironment = ProxyPolicy(.trustedEnvironment)

    /// Whether the proxies are trusted to apply the address policy.
    var isTrusted: Bool { rule == .trustedEnvironment }

    /// Returns the proxy for `https` or `http`; nil for none. `variable` returns the value of an environment variable.
    func proxy(isSecure: Bool, environment variable: (String) -> String? = ProxyPolicy.variable) -> String? {
        guard rule != .none else { return nil }
        // `HTTP_PROXY` is ignored, because clients of a CGI program can set it by a header.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        for name in names + ["all_proxy", "ALL_PROXY"] {
            if let value = variable(name), !value.isEmpty { return value }
        }
        return nil
    }

    /// Returns the value of an environment variable. Returns nil if the variable is not set.
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
