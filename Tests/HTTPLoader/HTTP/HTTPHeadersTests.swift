#if HTTP
import CalotypeHTTP
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct HTTPHeadersTests {
    @Test func `names are case-insensitive, and the last of equal names wins`() {
        var headers: HTTPHeaders = ["Accept": "image/png", "X-One": "1", "ACCEPT": "image/webp"]
        #expect(headers["accept"] == "image/webp")
        #expect(headers["x-ONE"] == "1")
        #expect(headers["X-Two"] == nil)
        headers["aCCept"] = "image/gif"
        #expect(headers["Accept"] == "image/gif")
        headers["accept"] = nil
        #expect(headers == ["x-one": "1"])
        headers["X-ONE"] = nil
        headers["X-ONE"] = nil
        #expect(headers.isEmpty)
        #expect(headers == HTTPHeaders())
    }

    @Test func `equal headers are equal and look alike in any order`() {
        let one: HTTPHeaders = ["Accept": "a", "X-Token": "b"]
        let other: HTTPHeaders = ["x-token": "b", "ACCEPT": "a"]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one.description == other.description)
        #expect(Self.identity(of: one) == Self.identity(of: other))
        for different in [["Accept": "a"], ["Accept": "a", "X-Token": "c"], ["Accept": "b", "X-Token": "b"]]
            as [HTTPHeaders]
        {
            #expect(one != different)
            #expect(Self.identity(of: one) != Self.identity(of: different))
        }
    }

    @Test(arguments: ["X-Token", "Accept"])
    func `canonically equivalent values are different`(name: String) {
        let (composed, decomposed): (HTTPHeaders, HTTPHeaders) = ([name: "caf\u{e9}"], [name: "cafe\u{301}"])
        #expect(composed != decomposed)
        #expect(!Self.identity(of: composed).utf8.elementsEqual(Self.identity(of: decomposed).utf8))
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `canonically equivalent identities are different`() {
        let names: [HTTPHeaders.Identity] = ["caf\u{e9}", "cafe\u{301}"]
        #expect(names[0] != names[1])
        #expect(Set(names).count == 2)
        let headers = names.map { HTTPHeaders.authorization("Bearer 1", identity: $0) }
        #expect(headers[0] != headers[1])
    }

    /// Returns the cache identity of requests with these headers. Equal identities mean equal policies.
    private static func identity(of headers: HTTPHeaders) -> String {
        ResolvedContext([.httpHeaders(headers)]).identity(of: .stored).full
    }

    @Test func `an identity replaces the value in cache keys, and differs from an equal value`() {
        func headers(_ value: String, _ identity: HTTPHeaders.Identity?) -> HTTPHeaders {
            identity.map { .authorization(value, identity: $0) } ?? ["Authorization": value]
        }
        let (named, again) = (headers("Bearer 1", "user-17"), headers("Bearer 2", "user-17"))
        #expect(named != again, "the sent values differ")
        #expect(Self.identity(of: named) == Self.identity(of: again))
        #expect(Self.identity(of: headers("a", .everyone)) == Self.identity(of: headers("b", .everyone)))
        let all: [HTTPHeaders] = [
            HTTPHeaders(), named, headers("Bearer 1", "user-18"), headers("Bearer 1", nil), headers("user-17", nil),
            headers("", nil), headers("Bearer 1", .everyone), headers("Bearer 1", ""), ["Authorization=user-17": ""],
            ["Authorization": "user-17"], headers("x", "user-17 | accept:a"), headers("x", "user-17|"),
        ]
        #expect(Set(all.map(Self.identity)).count == all.count - 1, "exactly two of the headers are equal")
        #expect(named.description == "authorization: redacted, of user-17")
        #expect(headers("s3cr3t", .everyone).description == "authorization: redacted, of everyone")

        var changed = named
        #expect(changed["authorization"] == "Bearer 1")
        changed["Authorization"] = "Bearer 1"
        #expect(
            Self.identity(of: changed) == Self.identity(of: headers("Bearer 1", nil)), "the new value has no identity")
        changed.set("AUTHORIZATION", to: "Bearer 3", identity: .named("user-17"))
        #expect(Self.identity(of: changed) == Self.identity(of: named))
    }

    @Test func `spaces around a value are trimmed`() {
        let headers: HTTPHeaders = ["Accept": " \t image/png, image/webp \t"]
        #expect(headers["Accept"] == "image/png, image/webp")
        #expect(headers == ["Accept": "image/png, image/webp"])
    }

    @Test func `secret fields are shown by name only`() throws {
        let headers: HTTPHeaders = [
            "User-Agent": "agent", "Accept": "image/png", "accept-language": "pt", "Authorization": "Bearer s3cr3t",
            "Cookie": "s3cr3t",
        ]
        let text = headers.description
        for open in ["accept: image/png", "accept-language: pt", "user-agent: agent"] { #expect(text.contains(open)) }
        #expect(!text.contains("s3cr3t"))
        #expect(text.contains("authorization: redacted | cookie: redacted"))
        #expect(HTTPHeaders().description == "none")
    }

    @Test func `no value can be confused with two headers`() {
        let one: HTTPHeaders = ["Accept": "a | user-agent: b"]
        let two: HTTPHeaders = ["Accept": "a", "User-Agent": "b"]
        let escaped: HTTPHeaders = ["Accept": "a %7C user-agent: b"]
        #expect(Set([one, two, escaped].map(Self.identity)).count == 3)
        // Also if the character is combined with a combining mark.
        let combined = Self.identity(of: HTTPHeaders(dictionaryLiteral: ("Accept", "a|\u{338}b")))
        #expect(!combined.unicodeScalars.contains("|"))
    }

    @Test func `headers are read from lines`() throws {
        let headers = try #require(HTTPHeaders(text: "Accept: image/png\nx-token:abc:def\r\n\nX-Empty:\nACCEPT: a"))
        #expect(headers == ["Accept": "a", "X-Token": "abc:def", "X-Empty": ""])
    }

    @Test(arguments: [
        "", "\n", "Accept", "Accept image/png", ": image/png", "Acc ept: image/png", "Accept\u{E9}: a", "Accept : a",
        "Accept: a\u{0}b", "Accept: a\u{7F}", "Content-Length: 3", "Transfer-Encoding: chunked", "connection: close",
    ])
    func `invalid headers are rejected`(text: String) {
        #expect(HTTPHeaders(text: text) == nil)
    }

    @Test func `headers can be set by name and turned off`() throws {
        let registry = ImageManager(plugins: [.http], context: [.off(.imageCache)]).registry
        let setting = try registry.setting(named: "httpHeaders", text: "Authorization: Bearer s3cr3t")
        #expect(!setting.text.contains("s3cr3t"))
        let context: ImageContext = [setting]
        #expect(context[.httpHeaders] == ["authorization": "Bearer s3cr3t"])
        #expect(try registry.setting(named: "httpHeaders", text: "off").text == "none")
        let error = #expect(throws: ImageError.self) {
            try registry.setting(named: "httpHeaders", text: "Authorization Bearer s3cr3t")
        }
        #expect(error?.description.contains("s3cr3t") == false)
    }
}
#endif
