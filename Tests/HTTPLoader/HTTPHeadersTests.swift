#if HTTP
import Calotype
import CalotypeHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPHeadersTests {
    @Test func `names are found in any case, and the last of equal names wins`() {
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

    @Test func `equal headers are equal in any order, and look alike`() {
        let one: HTTPHeaders = ["Accept": "a", "X-Token": "b"]
        let other: HTTPHeaders = ["x-token": "b", "ACCEPT": "a"]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one.description == other.description)
        for different in [["Accept": "a"], ["Accept": "a", "X-Token": "c"], ["Accept": "b", "X-Token": "b"]]
            as [HTTPHeaders]
        {
            #expect(one != different)
            #expect(one.description != different.description)
        }
    }

    @Test(arguments: ["X-Token", "Accept"])
    func `values that Unicode takes for equal are not`(name: String) {
        let (composed, decomposed): (HTTPHeaders, HTTPHeaders) = ([name: "caf\u{e9}"], [name: "cafe\u{301}"])
        #expect(composed != decomposed)
        #expect(!composed.description.utf8.elementsEqual(decomposed.description.utf8))
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `spaces around a value do not count`() {
        let headers: HTTPHeaders = ["Accept": " \t image/png, image/webp \t"]
        #expect(headers["Accept"] == "image/png, image/webp")
        #expect(headers == ["Accept": "image/png, image/webp"])
    }

    @Test func `what may be secret is shown as a digest`() throws {
        let headers: HTTPHeaders = [
            "User-Agent": "agent", "Accept": "image/png", "accept-language": "pt", "Authorization": "Bearer s3cr3t",
            "Cookie": "s3cr3t",
        ]
        let text = headers.description
        for open in ["accept: image/png", "accept-language: pt", "user-agent: agent"] { #expect(text.contains(open)) }
        #expect(!text.contains("s3cr3t"))
        #expect(text.contains("authorization: sha256-"))
        #expect(HTTPHeaders().description == "none")
    }

    @Test func `no value looks like two headers`() {
        let one: HTTPHeaders = ["Accept": "a | user-agent: b"]
        let two: HTTPHeaders = ["Accept": "a", "User-Agent": "b"]
        let escaped: HTTPHeaders = ["Accept": "a %7C user-agent: b"]
        #expect(Set([one, two, escaped].map(\.description)).count == 3)
        // Also where something is combined with the sign.
        #expect(HTTPHeaders(dictionaryLiteral: ("Accept", "a|\u{338}b")).description == "accept: a%7C\u{338}b")
    }

    @Test func `headers are read from lines`() throws {
        let headers = try #require(HTTPHeaders(text: "Accept: image/png\nx-token:abc:def\r\n\nX-Empty:\nACCEPT: a"))
        #expect(headers == ["Accept": "a", "X-Token": "abc:def", "X-Empty": ""])
    }

    @Test(arguments: [
        "", "\n", "Accept", "Accept image/png", ": image/png", "Acc ept: image/png", "Accept\u{E9}: a", "Accept : a",
        "Accept: a\u{0}b", "Accept: a\u{7F}", "Content-Length: 3", "Transfer-Encoding: chunked", "connection: close",
    ])
    func `what cannot be sent is no text of headers`(text: String) {
        #expect(HTTPHeaders(text: text) == nil)
    }

    @Test func `they are set by name, and turned off`() throws {
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
