import Testing

@testable import Calotype

/// Addresses, and whether they are public.
///
/// The blocks are those of the IANA special-purpose address registries and of the address plans of IPv4 and IPv6. Their
/// ends were computed with Python's `ipaddress`.
@Suite(.timeLimit(.minutes(5)))
struct IPAddressTests {
    private func isPublic(_ text: String) throws -> Bool { try #require(IPAddress(text), "\(text)").isPublic }

    // MARK: Blocks

    @Test(arguments: [
        ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
        ("100::", "100::ffff:ffff:ffff:ffff"), ("100:0:0:1::", "100::1:ffff:ffff:ffff:ffff"),
        ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"), ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
    func `special-purpose blocks are not public, from the first address to the last`(
        first: String, last: String
    ) throws {
        #expect(try !isPublic(first))
        #expect(try !isPublic(last))
    }

    @Test(arguments: [
        ("1.0.0.0", "9.255.255.255"), ("11.0.0.0", "100.63.255.255"), ("100.128.0.0", "126.255.255.255"),
        ("128.0.0.0", "169.253.255.255"), ("169.255.0.0", "172.15.255.255"), ("172.32.0.0", "191.255.255.255"),
        ("192.0.1.0", "192.0.1.255"), ("192.0.3.0", "192.88.98.255"), ("192.88.100.0", "192.167.255.255"),
        ("192.169.0.0", "198.17.255.255"), ("198.20.0.0", "198.51.99.255"), ("198.51.101.0", "203.0.112.255"),
        ("203.0.114.0", "223.255.255.255"), ("2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2001:db9::", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("2003::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
    func `addresses between special-purpose blocks are public`(first: String, last: String) throws {
        #expect(try isPublic(first))
        #expect(try isPublic(last))
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "192.31.196.1", "192.52.193.1", "192.175.48.1", "2001:4860:4860::8888",
        "2606:4700:4700::1111", "2620:4f:8000::1", "2a00:1450:4001:82a::200e",
    ])
    func `well-known public addresses are public`(text: String) throws { #expect(try isPublic(text)) }

    @Test(arguments: [
        "::2", "1::", "200::", "400::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "8000::", "e000::",
        "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::", "64:ff9b:2::8.8.8.8", "::8.8.8.8", "::ffff:0:8.8.8.8",
    ])
    func `addresses outside global unicast are not public`(text: String) throws { #expect(try !isPublic(text)) }

    // MARK: IPv4 in IPv6

    /// The prefix and suffix of an embedded IPv4 address, as four bytes in hexadecimal. A nil suffix means that no
    /// address with the prefix is public.
    @Test(
        arguments: [
            ("::ffff:", ""), ("::ffff:0:0:", nil), ("64:ff9b::", ""), ("2002:", "::1"), ("2a00:1450::5efe:", ""),
            ("2a00:1450::200:5efe:", ""),
        ] as [(String, String?)])
    func `an address that embeds an IPv4 address is as public as that one`(prefix: String, suffix: String?) throws {
        // 127.0.0.1, 10.1.2.3, 169.254.169.254, 192.168.0.1, 0.0.0.0, 224.0.0.1
        for inner in ["7f00:1", "a01:203", "a9fe:a9fe", "c0a8:1", "0:0", "e000:1"] {
            #expect(try !isPublic(prefix + inner + (suffix ?? "")), "\(inner)")
        }
        // 8.8.8.8
        #expect(try isPublic(prefix + "808:808" + (suffix ?? "")) == (suffix != nil))
    }

    @Test func `a tunnel within a tunnel is resolved`() throws {
        #expect(try isPublic("2002:808:808::5efe:8.8.8.8"))
        #expect(try !isPublic("2002:808:808::5efe:10.0.0.1"))
        #expect(try !isPublic("2002:a00:1::5efe:8.8.8.8"))
        #expect(try !isPublic("2001:db8::5efe:8.8.8.8"))
    }

    @Test(arguments: ["2001:0:808:808::f7f7:f7f7", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:10::1", "2001:20::1"])
    func `Teredo and ORCHID are not public, wherever they lead`(text: String) throws { #expect(try !isPublic(text)) }

    // MARK: Parsing

    @Test func `bytes and text give the same address`() throws {
        let short: [UInt8] = [192, 168, 0, 1]
        #expect(IPAddress(bytes: short) == IPAddress("192.168.0.1"))
        let long: [UInt8] = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0x0b]
        #expect(IPAddress(bytes: long) == IPAddress("2001:db8::a0b"))
        #expect(
            IPAddress("::ffff:127.0.0.1") != IPAddress("127.0.0.1"), "the system treats them as different addresses")
        for count in [0, 1, 3, 5, 15, 17] { #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test func `an IPv6 address is the same in every notation`() throws {
        // RFC 5952, section 1
        let address = try #require(IPAddress("2001:db8::1:0:0:1"))
        for text in [
            "2001:db8:0:0:1:0:0:1", "2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1", "2001:db8:0:0:1::1",
            "2001:DB8:0:0:1::1", "2001:0db8:0000:0000:0001:0000:0000:0001",
        ] {
            #expect(IPAddress(text) == address, "\(text)")
        }
    }

    @Test(arguments: [
        "", " ", "127.1", "127.0.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.1.",
        "127.0.0.256",
        "127.0.0.1 ", " 127.0.0.1", "127.0.0.1\0", "1.2.3.4.5", "localhost", "[::1]", "::1%lo", "fe80::1%25eth0",
        ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::127.0.0", "::1/128", "１２７.0.0.1", "127。0。0。1",
    ])
    func `a nonstandard notation is rejected`(text: String) { #expect(IPAddress(text) == nil) }

    // MARK: Policies

    @Test func `the policies allow the addresses that their names say`() throws {
        let (near, far) = (try #require(IPAddress("10.0.0.1")), try #require(IPAddress("8.8.8.8")))
        #expect(AddressPolicy.any.allows(near, port: 80))
        #expect(!AddressPolicy.publicOnly.allows(near, port: 80))
        #expect(AddressPolicy.publicOnly.allows(far, port: 22))
        #expect(AddressPolicy.any != .publicOnly)
        for policy in [AddressPolicy.any, .publicOnly] {
            #expect(AddressPolicy(contextText: policy.contextText) == policy)
        }
        #expect(AddressPolicy(contextText: "private") == nil)
    }

    @Test func `a server connects only to public addresses, other contexts to any`() {
        #expect(ResolvedContext.builtIn[.addressPolicy] == .any)
        #expect(ResolvedContext(.server)[.addressPolicy] == .publicOnly)
    }
}
