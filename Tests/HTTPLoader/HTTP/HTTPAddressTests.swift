#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Foundation, which programs use to check URLs, and libcurl, which loads them, agree on the host.
@Suite(.timeLimit(.minutes(5)))
struct HTTPAddressTests {
    @Test(
        arguments: [
            ("http://example.com", "example.com"), ("HTTP://EXAMPLE.com:8080/a?b#c", "example.com"),
            ("http://user:word@example.com/", "example.com"), ("http://example.com./", "example.com."),
            ("http://ex_ample.com/", "ex_ample.com"), ("http://xn--mller-kva.example/", "xn--mller-kva.example"),
            ("http://127.0.0.1/", "127.0.0.1"), ("http://[::1]/", "[::1]"), ("http://[0:0:0:0:0:0:0:1]:80/", "[::1]"),
            ("http://[::ffff:127.0.0.1]/", "[::ffff:127.0.0.1]"), ("http://[fe80::1%25eth0]/", "[fe80::1]"),
            ("http://user%40host:a%2Fb@example.com/%40", "example.com"), ("http://localhost/", "localhost"),
        ] as [(String, String)])
    func `a host that Foundation and libcurl read alike is accepted`(text: String, host: String) throws {
        let url = try #require(URL(string: text))
        #expect(try HTTPAddress(url).origin.host == host)
    }

    @Test(arguments: [
        "http:///127.0.0.1/", "http:/127.0.0.1/", "http://2130706433/", "http://127.1/", "http://0x7f.1/",
        "http://0177.0.0.1/", "http://0/", "http://127%2e0%2e0%2e1/", "http://%6c%6fcalhost/", "http://loc%61lhost/",
        "http://example.com%2e/", "http://127.0.0.1%2f@/", "http:////127.0.0.1/", "http:127.0.0.1", "http://",
    ])
    func `a host that they read differently is refused under every policy`(text: String) async throws {
        // Foundation rejects the URL, so there is no request.
        guard let url = URL(string: text) else { return }
        let error = await imageError { try await CurlImageLoader().fetch(url) }
        #expect(error?.code == .invalidURL, "\(text)")
    }

    @Test func `no request is sent to an ambiguous host`() async throws {
        let server = try ScriptedServer()
        server.answerOthers { _ in .bytes(RawImageCoder.file(width: 4, height: 3)) }
        let loader = CurlImageLoader()
        for text in ["http:///127.0.0.1", "http:/127.0.0.1", "http://2130706433", "http://127.1", "http://0x7f000001"] {
            let url = try #require(URL(string: "\(text):\(server.port)/picture.raw"))
            #expect(await imageError { try await loader.fetch(url) }?.code == .invalidURL, "\(text)")
        }
        #expect(server.connectionCount == 0)
    }
}
#endif
