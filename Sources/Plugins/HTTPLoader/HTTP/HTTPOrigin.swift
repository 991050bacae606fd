#if HTTP
import Calotype

/// The origin of a request: scheme, host and port (RFC 6454, section 4).
struct HTTPOrigin: Sendable, Hashable {
    let isSecure: Bool
    /// The host in lower case; an IPv6 address is in brackets.
    let host: String
    let port: Int

    /// Returns whether two origins are equal. Hosts are compared byte by byte, because names that Unicode treats as
    /// equal may be different hosts.
    static func == (one: HTTPOrigin, other: HTTPOrigin) -> Bool {
        one.isSecure == other.isSecure && one.port == other.port && one.host.isSame(as: other.host)
    }

    /// The scheme in lower case.
    var scheme: String { isSecure ? "https" : "http" }
}

extension HTTPOrigin {
    /// The host as an IP address, without final dots; nil if the host is not an IP address in standard notation.
    var address: IPAddress? { IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : name) }

    /// Whether the host is a name of the local machine (RFC 6761, section 6.3).
    var isLoopbackName: Bool { name == "localhost" || name.hasSuffix(".localhost") }

    /// Whether the host is in brackets, as IPv6 addresses are, or ends in a decimal or hexadecimal number.
    ///
    /// Such a host can only be an IP address. ``address`` may still be nil, because it does not read all notations that
    /// systems accept. Source: URL Standard, section 3.5, "ends in a number checker".
    var endsInNumber: Bool {
        guard !host.hasPrefix("[") else { return true }
        let label = name.split(separator: ".").last ?? ""
        guard label.hasPrefix("0x") else { return label.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return label.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The host without final dots, which resolvers ignore.
    private var name: String {
        let count = host.utf8.reversed().prefix { $0 == UInt8(ascii: ".") }.count
        return String(host.dropLast(count))
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// The host without control characters, and the port unless it is the default port of the scheme.
    var description: String { port == (isSecure ? 443 : 80) ? host.printable : "\(host.printable):\(port)" }
}
#endif
