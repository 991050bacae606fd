import Testing

@testable import Calotype

/// The spellings of a URL that are equivalent, and the parts that may be shown.
struct URLIdentityTests {
    private func key(_ text: String) throws -> String { try #require(URL(string: text)).keyText }

    @Test(arguments: [
        ("HTTP://Example.ORG/a.png", "http://example.org/a.png"),
        ("http://example.org:80/a.png", "http://example.org/a.png"),
        ("https://example.org:443", "https://example.org/"),
        ("https://example.org:444/", "https://example.org:444/"),
        ("http://example.org/a/./b/../c.png", "http://example.org/a/c.png"),
        ("http://example.org/../../a.png", "http://example.org/a.png"),
        ("http://example.org/a.png#part", "http://example.org/a.png"),
        ("http://example.org/%7euser/%c3%a9.png", "http://example.org/~user/%C3%A9.png"),
        ("http://example.org/a%2fb.png", "http://example.org/a%2Fb.png"),
        ("http://example.org/a.png?b=%41&c", "http://example.org/a.png?b=A&c"),
        ("file:///a/link/../b.png", "file:///a/link/../b.png"),
    ])
    func `spellings of one address have one key`(spelling: String, normal: String) throws {
        #expect(try key(spelling) == normal)
    }

    @Test(arguments: [
        ("http://example.org/a.png", "http://example.org/A.png"),
        ("http://example.org/a.png", "http://example.org/a.png?"),
        ("http://example.org/a/b", "http://example.org/a%2Fb"),
        ("asset:Cat.png", "asset:cat.png"),
        ("data:;base64,AbCd", "data:;base64,abcd"),
    ])
    func `different addresses have different keys`(one: String, other: String) throws {
        #expect(try key(one) != key(other))
    }

    /// Most URLs are known to be in normal form without being parsed.
    @Test(arguments: [
        "https://example.org/pictures/1.jpg", "http://example.org/", "http://example.org", "http://a.b-c.org//x//y.png",
        "https://192.0.2.7/~me/AZaz09-._~!$&'()*+,;=:@/x", "http://example.org/a.b/..c/d",
        "http://example.org/a/.hidden",
        "http://example.org/a/../b", "http://example.org/a/.", "http://xn--bcher-kva.example/b.png",
        "http://Example.org/a", "http://example.org:80/a", "http://example.org:8080/a", "http://me@example.org/a",
        "http://example.org/a?b", "http://example.org/a#b", "http://example.org/%41", "HTTPS://example.org/a",
        "http:///a", "http://", "https:/a", "http://[::1]/a", "file:///a.png", "asset:cat.png", "http://./a",
    ])
    func `the fast path gives the same results as parsing the URL`(text: String) throws {
        let url = try #require(URL(string: text))
        let normal = url.normalForm
        #expect(url.normalized.absoluteString == normal?.string ?? text)
        #expect((url.userIdentity != nil) == (normal?.user != nil))
        guard normal?.user == nil else { return }
        #expect(url.keyText == normal?.string)
        #expect(url.redacted == Redaction.standard.text(of: normal?.string ?? text))
    }

    @Test func `credentials are neither in key nor message, other secrets only in the key`() throws {
        let url = try #require(URL(string: "https://me:pw@host/a?X-Amz-Signature=abc&size=2&TOKEN=def"))
        #expect(url.redacted == "https://host/a?X-Amz-Signature=redacted&size=2&TOKEN=redacted")
        #expect(url.keyText == "https://host/a?X-Amz-Signature=abc&size=2&TOKEN=def")
        #expect(SourceKey(url.keyText).description == url.redacted)
        let other = try #require(URL(string: "https://me:pw@host/a?X-Amz-Signature=abd&size=2&TOKEN=def"))
        #expect(url.keyText != other.keyText)
        #expect(url.userIdentity?.full == "me:pw")
        #expect(url.userIdentity?.shown == "redacted")
    }

    @Test func `users whose names differ in the position of a colon are different`() throws {
        let one = try #require(URL(string: "http://a%3Ab:c@host/"))
        let other = try #require(URL(string: "http://a:b%3Ac@host/"))
        #expect(one.userIdentity?.full != other.userIdentity?.full)
    }
}
