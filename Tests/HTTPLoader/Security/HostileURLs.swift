#if HTTP
/// URLs that bypass address filters: they lead to this machine or its network, or appear to lead elsewhere.
///
/// They combine known weaknesses of such filters: the ways to write an address (`inet_aton`, IPv6, Unicode), names of
/// this machine, and parts of a URL that programs parse differently.
enum HostileURLs {
    /// Returns all URLs without duplicates, always in the same order.
    /// - Parameter port: The port of the non-public address that they lead to.
    static func all(port: Int) -> [String] {
        var urls: [String] = []
        for host in hosts {
            urls += [
                "http://\(host):\(port)/", "https://\(host):\(port)/picture.png",
                "http://example.com@\(host):\(port)/", "http://example.com:80@\(host):\(port)/?host=example.com",
                "http://example.com%2F@\(host):\(port)/#@example.com/", "HTTPS://:@\(host):\(port)?@example.com/",
            ]
        }
        urls += confusions.map { $0.replacing("PORT", with: "\(port)") }
        var known: Set<[UInt8]> = []
        return urls.filter { known.insert(Array($0.utf8)).inserted }
    }

    private static var hosts: [String] { numbers + otherNumbers + groups + names + characters }

    /// The notations of 127.0.0.1 for `inet_aton`: one to four numbers, each decimal, octal or hexadecimal.
    private static var numbers: [String] {
        let forms: [(Int) -> String] = [
            { String($0) }, { "0" + String($0, radix: 8) }, { "0000" + String($0, radix: 8) },
            { "0x" + String($0, radix: 16) }, { "0X" + String($0, radix: 16, uppercase: true) },
            { "0x0000" + String($0, radix: 16) },
        ]
        var hosts = forms.map { $0(0x7f00_0001) }
        for middle in ["", ".0", ".0.0"] {
            for first in forms {
                for last in forms { hosts.append("\(first(127))\(middle).\(last(1))") }
            }
        }
        return hosts
    }

    /// Other addresses of this machine, its network and the metadata services of clouds.
    private static let otherNumbers = [
        "0", "00", "0x0", "0.0", "0.0.0.0", "127.0.0.2", "127.255.255.254", "10.0.0.1", "0xa000001", "012.1",
        "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.257", "3232235521", "100.64.0.1", "169.254.169.254",
        "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "0xa9.254.0251.254", "169.16689662", "192.0.0.1",
        "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "127.0.0.256", "127.0.0.1.", "127.0.0.1..", "127..1",
        "127.0.0.1.2", "4294967297", "2130706433.",
    ]

    private static let groups = [
        "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0001]", "[::]", "[0::0]",
        "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[::7f00:1]",
        "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::127.0.0.1]", "[2002:7f00:1::]",
        "[2002:7f00:0001::1]", "[2001:0:7f00:1::]", "[2001::80ff:fffe]", "[2a00:1450::5efe:127.0.0.1]",
        "[fe80::5efe:127.0.0.1]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25lo]",
        "[::1%25lo]", "[::1%lo]", "[::1%251]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]",
        "[::ffff:0x7f.1]", "[127.0.0.1]", "[::1]localhost", "[::1].example.com", "[[::1]]", "[v1.127]",
    ]

    private static let names = [
        "localhost", "LOCALHOST", "localhost.", "example.localhost", "a.b.LocalHost", "localhost.localdomain",
        "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "broadcasthost", "127.0.0.1.example.com",
        "127-0-0-1.example.com", "7f000001.example.com", "rebound.example.com", "xn--7f000001", "metadata",
        "kubernetes.default.svc", "host.docker.internal", "_gateway",
    ]

    /// Digits, dots and letters that are normalized to others, with and without escapes.
    private static let characters = [
        "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "１２７。０。０。１", "０x７f.1",
        "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "loca\u{AD}lhost", "local\u{200D}host", "localhos\u{FEFF}t", "locålhost",
        "LOCALHO\u{17F}T",
        "٧.0.0.1", "127.0.0.1\u{3002}", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%6c%6f%63%61%6c%68%6f%73%74",
        "loc%61lhost", "127.0.0.1%00", "127.0.0.1%00.example.com", "127.0.0.1%0a", "127.0.0.1%20", "127.0.0.1%2f",
        "127.0.0.1%09", "%E3%80%82127.0.0.1", "127%E3%80%820%E3%80%820%E3%80%821", "127.0.0.1%252e", "%5b::1%5d",
        "127.0.0.1%3f", "127.0.0.1%23", "127.0.0.1%40example.com", "2130706433%2e",
    ]

    /// Parts of which programs disagree whether they are the host.
    private static let confusions = [
        "http:///127.0.0.1:PORT/", "http:////127.0.0.1:PORT/", "http:/127.0.0.1:PORT/", "http:127.0.0.1:PORT/",
        "https:///localhost:PORT/", "http:///example.com@127.0.0.1:PORT/", "http:\\\\127.0.0.1:PORT/",
        "http:/\\127.0.0.1:PORT/", "http:\\/\\/127.0.0.1:PORT/", "http://\\127.0.0.1:PORT/", "//127.0.0.1:PORT/",
        "///127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@example.com/", "http://example.com\\@127.0.0.1:PORT/",
        "http://example.com\\.127.0.0.1:PORT/", "http://127.0.0.1:PORT#@example.com/",
        "http://127.0.0.1:PORT?@example.com",
        "http://127.0.0.1:PORT;@example.com/", "http://127.0.0.1:PORT%2f@example.com/",
        "http://127.0.0.1:PORT@example.com/",
        "http://example.com#@127.0.0.1:PORT/", "http://example.com?@127.0.0.1:PORT/", "http://a@b@127.0.0.1:PORT/",
        "http://@@127.0.0.1:PORT/", "http://a:b:c@127.0.0.1:PORT/", "http://example.com%00@127.0.0.1:PORT/",
        "http://example.com%20@127.0.0.1:PORT/", "http://example.com @127.0.0.1:PORT/", "http://127.0.0.1 :PORT/",
        "http:// 127.0.0.1:PORT/", "http://127.0.0.1:PORT:80/", "http://127.0.0.1:80:PORT/", "http://127.0.0.1:00PORT/",
        "http://127.0.0.1:+PORT/", "http://[::1]:PORT@example.com/", "http://example.com:PORT@[::1]:PORT/",
        "http://[::1@127.0.0.1]:PORT/", "http://{127.0.0.1}:PORT/", "http://127.0.0.1,example.com:PORT/",
        "http://(127.0.0.1):PORT/", "http://127.0.0.1&@example.com:PORT/",
        "http://example.com&@127.0.0.1:PORT#@a.example/",
        "http://127.1.1.1:PORT\\@127.2.2.2:80/", "http://127.1.1.1:PORT\\@@127.2.2.2:80/",
        "http://127.1.1.1:PORT:\\@@127.2.2.2:80/",
        "http://0:PORT/", "http://①:PORT/", "ftp://127.0.0.1:PORT/", "gopher://127.0.0.1:PORT/_GET%20/",
        "dict://127.0.0.1:PORT/a",
        "ws://127.0.0.1:PORT/", "file://127.0.0.1:PORT/etc/passwd", "http+unix://127.0.0.1:PORT/",
        "jar:http://127.0.0.1:PORT!/",
        "url:http://127.0.0.1:PORT/", "http://http://127.0.0.1:PORT/", "http://127.0.0.1:PORT/http://example.com/",
    ]
}
#endif
