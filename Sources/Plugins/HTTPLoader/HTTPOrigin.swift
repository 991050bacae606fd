#if HTTP
/// Whom a request goes to: scheme, host and port (RFC 6454, section 4).
struct HTTPOrigin: Sendable, Hashable {
    let isSecure: Bool
    /// In lower case; an IPv6 address stands in brackets.
    let host: String
    let port: Int

    /// The scheme in lower case.
    var scheme: String { isSecure ? "https" : "http" }
}

extension HTTPOrigin: CustomStringConvertible {
    /// For messages: the host, without what could control a terminal, and the port where it is not the scheme's own.
    var description: String { port == (isSecure ? 443 : 80) ? host.printable : "\(host.printable):\(port)" }
}
#endif
