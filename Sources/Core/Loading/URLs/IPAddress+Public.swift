extension IPAddress {
    /// Whether the address is public: a unicast address that is reachable from everywhere on the Internet.
    ///
    /// Loopback, private, link-local, shared (CGNAT), multicast, unspecified, reserved, benchmarking and documentation
    /// addresses are not public. Some IPv6 addresses represent an IPv4 address or lead to one through a tunnel
    /// (IPv4-mapped, NAT64, 6to4, ISATAP); they are public only if the IPv4 address is. Other IPv6 addresses outside
    /// `2000::/3` are not public, nor are those in `2001::/23`, including Teredo and ORCHID.
    ///
    /// Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), RFC 5771 and RFC 4291.
    public var isPublic: Bool {
        switch bits {
        case .ipv4(let bits): !Self.specialIPv4.contains { $0.contains(bits) }
        case .ipv6(let bits): Self.isPublic(bits)
        }
    }

    private static func isPublic(_ bits: UInt128) -> Bool {
        if translatedIPv4.contains(where: { $0.contains(bits) }) { return isPublicIPv4(bits) }
        guard globalUnicast.contains(bits), !specialIPv6.contains(where: { $0.contains(bits) }) else { return false }
        if sixToFour.contains(bits), !isPublicIPv4(bits >> 80) { return false }
        // The lower half begins with 0000:5efe, or with 0200:5efe (RFC 5214, section 6.1).
        let isISATAP = UInt32(truncatingIfNeeded: bits >> 32) & 0xfdff_ffff == 0x0000_5efe
        return !isISATAP || isPublicIPv4(bits)
    }

    /// Returns whether the lowest 32 bits are a public IPv4 address.
    private static func isPublicIPv4(_ bits: UInt128) -> Bool {
        IPAddress(.ipv4(UInt32(truncatingIfNeeded: bits))).isPublic
    }

    private static let specialIPv4: [AddressBlock<UInt32>] = [
        AddressBlock(0, length: 8),  // "this network", RFC 791
        AddressBlock(10, length: 8),  // private, RFC 1918
        AddressBlock(100, 64, length: 10),  // shared address space (CGNAT), RFC 6598
        AddressBlock(127, length: 8),  // loopback, RFC 1122
        AddressBlock(169, 254, length: 16),  // link-local, RFC 3927
        AddressBlock(172, 16, length: 12),  // private, RFC 1918
        AddressBlock(192, 0, 0, length: 24),  // IETF protocol assignments, RFC 6890
        AddressBlock(192, 0, 2, length: 24),  // documentation, RFC 5737
        AddressBlock(192, 88, 99, length: 24),  // 6to4 relays, withdrawn, RFC 7526
        AddressBlock(192, 168, length: 16),  // private, RFC 1918
        AddressBlock(198, 18, length: 15),  // benchmarking, RFC 2544
        AddressBlock(198, 51, 100, length: 24),  // documentation, RFC 5737
        AddressBlock(203, 0, 113, length: 24),  // documentation, RFC 5737
        AddressBlock(224, length: 4),  // multicast, RFC 5771
        AddressBlock(240, length: 4),  // reserved, RFC 1112, and broadcast, RFC 919
    ]

    /// The blocks of IPv6 addresses that stand for the IPv4 address in their last 32 bits.
    private static let translatedIPv4: [AddressBlock<UInt128>] = [
        AddressBlock(0, 0, 0, 0, 0, 0xffff, length: 96),  // IPv4-mapped, RFC 4291
        AddressBlock(0x64, 0xff9b, 0, 0, 0, 0, length: 96),  // NAT64, RFC 6052
    ]

    private static let globalUnicast = AddressBlock<UInt128>(0x2000, length: 3)  // RFC 4291
    private static let sixToFour = AddressBlock<UInt128>(0x2002, length: 16)  // RFC 3056

    /// The blocks of IPv6 addresses within `2000::/3` that are not public.
    private static let specialIPv6: [AddressBlock<UInt128>] = [
        AddressBlock(0x2001, length: 23),  // IETF protocol assignments, RFC 2928
        AddressBlock(0x2001, 0xdb8, length: 32),  // documentation, RFC 3849
        AddressBlock(0x3fff, length: 20),  // documentation, RFC 9637
    ]
}

/// A block of addresses that share their first bits.
private struct AddressBlock<Bits: FixedWidthInteger & Sendable>: Sendable {
    private let first: Bits
    private let length: Int

    /// Creates a block.
    /// - Parameters:
    ///   - parts: The first address, as bytes for IPv4 or groups of 16 bits for IPv6. Zeros at the end may be left out.
    ///   - length: The number of bits that all addresses of the block share.
    init(_ parts: Bits..., length: Int) {
        let width = Bits.bitWidth == 32 ? 8 : 16
        first = parts.reduce(0) { $0 << width | $1 } << (Bits.bitWidth - width * parts.count)
        self.length = length
    }

    func contains(_ bits: Bits) -> Bool { (bits ^ first) >> (Bits.bitWidth - length) == 0 }
}
