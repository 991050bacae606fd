#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An IPv4 or IPv6 address, without the zone of an IPv6 address.
///
/// ```swift
/// let isPublic = IPAddress("192.168.0.1")?.isPublic  // false
/// let address = IPAddress("127.1")  // nil: some systems accept this notation, but it is not the standard one
/// ```
public struct IPAddress: Sendable, Hashable {
    /// The bits of an address. The first bit of the address is the most significant bit.
    enum Bits: Sendable, Hashable {
        case ipv4(UInt32)
        case ipv6(UInt128)
    }

    let bits: Bits

    init(_ bits: Bits) { self.bits = bits }

    /// Creates an address from 4 bytes for IPv4 or 16 bytes for IPv6, in network order. Returns nil for any other
    /// number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: bits = .ipv4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: bits = .ipv6(bytes.reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }

    /// Creates an address from text: four decimal numbers without leading zeros, or an IPv6 address without brackets
    /// and zone. Returns nil for any other text.
    ///
    /// Source: RFC 6943, section 3.1.1 ("strict"), and RFC 4291, section 2.2.
    public init?(_ text: String) {
        // The system would end the text at a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }
}
