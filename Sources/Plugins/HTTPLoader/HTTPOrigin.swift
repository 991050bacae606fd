#if HTTP
import Calotype

/// Whom a request goes to: scheme, host and port (RFC 6454, section 4).
struct HTTPOrigin: Sendable, Hashable {
    let isSecure: Bool
    /// In lower case; an IPv6 address stands in brackets.
    let host: String
    let port: Int

    /// By bytes: headers are sent on to the same origin alone, and two spellings of a name in Unicode may be two hosts.
    static func == (one: HTTPOrigin, other: HTTPOrigin) -> Bool {
        one.isSecure == other.isSecure && one.port == other.port && one.host.isSame(as: other.host)
    }

    /// The scheme in lower case.
    var scheme: String { isSecure ? "https" : "http" }
}

extension HTTPOrigin {
    /// The address that the host is written as; nil for a name.
    var address: IPAddress? { IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host) }

    /// Whether the host is a name of the machine that asks (RFC 6761, section 6.3).
    var isLoopbackName: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost")
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// For messages: the host, without what could control a terminal, and the port where it is not the scheme's own.
    var description: String { port == (isSecure ? 443 : 80) ? host.printable : "\(host.printable):\(port)" }
}
#endif
