#if HTTP
import Calotype

/// Whom a request goes to: scheme, host and port (RFC 6454, section 4).
struct HTTPOrigin: Sendable, Hashable {
    let isSecure: Bool
    /// The host in lower case; an IPv6 address is in brackets.
    let host: String
    let port: Int

    /// Compares bytes: headers are sent on to the same origin alone, and two spellings of a name in Unicode may be two
    /// hosts.
    static func == (one: HTTPOrigin, other: HTTPOrigin) -> Bool {
        one.isSecure == other.isSecure && one.port == other.port && one.host.isSame(as: other.host)
    }

    /// The scheme in lower case.
    var scheme: String { isSecure ? "https" : "http" }
}

extension HTTPOrigin {
    /// The address that the host is written as, with final dots or without; nil for a name.
    var address: IPAddress? { IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : name) }

    /// Whether the host is a name of the machine that asks (RFC 6761, section 6.3).
    var isLoopbackName: Bool { name == "localhost" || name.hasSuffix(".localhost") }

    /// Whether the host ends in a number, decimal or hexadecimal. It is an address then, or no host at all, though not
    /// each of the ways in which systems write addresses is read here. Source: URL Standard, section 3.5, "ends in a
    /// number checker".
    var endsInNumber: Bool {
        guard !host.hasPrefix("[") else { return true }
        let label = name.split(separator: ".").last ?? ""
        guard label.hasPrefix("0x") else { return label.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return label.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The host without final dots, which make no difference to a resolver.
    private var name: String {
        let count = host.utf8.reversed().prefix { $0 == UInt8(ascii: ".") }.count
        return String(host.dropLast(count))
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// The origin for messages: the host, without what could control a terminal, and the port if it is not the scheme's
    /// own.
    var description: String { port == (isSecure ? 443 : 80) ? host.printable : "\(host.printable):\(port)" }
}
#endif
