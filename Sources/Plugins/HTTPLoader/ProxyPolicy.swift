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

    /// No proxy: connections go directly to the servers, regardless of the environment. The default.
    public static let none = ProxyPolicy(.none)

    /// The proxies that the environment variables `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy` and
    /// `ALL_PROXY` name, except for the hosts in `no_proxy` or `NO_PROXY`, as in curl.
    ///
    /// With an ``AddressPolicy`` other than ``AddressPolicy/any``, a request that would use a proxy throws
    /// `addressRefused`, because the loader cannot check the addresses that a proxy connects to.
    public static let environment = ProxyPolicy(.environment)

    /// The proxies of the environment, trusted to refuse the addresses that the request's ``AddressPolicy`` refuses.
    ///
    /// The variables are those of ``environment``. With a policy other than ``AddressPolicy/any``, all requests that
    /// have a proxy go through it, including those to hosts in `no_proxy`. The loader itself then only refuses hosts in
    /// the form of a refused address, hosts that end in a number, and `localhost`.
    public static let trustedEnvironment = ProxyPolicy(.trustedEnvironment)

    /// Whether the proxies are trusted to enforce the address policy.
    var isTrusted: Bool { rule == .trustedEnvironment }

    /// Returns the proxy for a scheme, or nil if there is none.
    /// - Parameters:
    ///   - isSecure: Whether the scheme is `https`.
    ///   - variable: A closure that returns the value of an environment variable, or nil if it is not set.
    func proxy(isSecure: Bool, environment variable: (String) -> String? = ProxyPolicy.variable) -> String? {
        guard rule != .none else { return nil }
        // `HTTP_PROXY` is ignored, because clients of a CGI program can set it by a header.
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        for name in names + ["all_proxy", "ALL_PROXY"] {
            if let value = variable(name), !value.isEmpty { return value }
        }
        return nil
    }

    /// Returns the value of an environment variable, or nil if it is not set.
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
