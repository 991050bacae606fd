#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Responses whose first header line begins with a blank, as if it continued a preceding field. They follow other
/// responses with fields on the same connection.
///
/// Some versions of libcurl append such a line to freed memory, which only a sanitizer detects. But then the load
/// succeeds, although there is no field that the line could continue.
@Suite(.timeLimit(.minutes(5)))
struct FoldedHeadTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws {
        server = try ScriptedServer()
        server.answer("/picture.raw", with: .bytes(picture))
        server.answer("/away", with: .redirect(to: "/folded"))
        let head = "HTTP/1.1 200 OK\r\n X: y\r\nContent-Length: \(picture.count)\r\n\r\n"
        server.answer("/folded", with: ScriptedResponse(head: [.send(Data(head.utf8))], body: [.send(picture)]))
    }

    /// Loads such a response. libcurl ignores the blank from 8.3 on, and refuses the response before.
    private func expectNothingJoined(at path: String) async {
        do {
            let loaded = try await loader.fetch(server.url(path))
            #expect(CurlHandle.canBeUsedAgain, "a folded line was joined to a field of another response")
            #expect(loaded.data == picture)
        } catch {
            let error = error as? ImageError
            #expect(error?.code == .loadFailed)
            #expect(error?.message.contains("not valid HTTP") == true, "\(error as Any)")
            #expect(error?.advice != nil)
        }
    }

    @Test func `a folded line is not joined to a field of the redirect before`() async throws {
        for _ in 0..<10 { await expectNothingJoined(at: "/away") }
        #expect(server.requestCount(of: "/folded") == 10)
        #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
    }

    @Test func `a folded line is not joined to a field of the previous load`() async throws {
        for _ in 0..<10 {
            #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
            await expectNothingJoined(at: "/folded")
        }
        #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
    }

    @Test func `connections are reused even if their handles are not`() async throws {
        server.answer("/near", with: .redirect(to: "/picture.raw"))
        for path in ["/near", "/picture.raw", "/near"] {
            let loaded = try await loader.fetch(server.url(path))
            #expect(loaded.data == picture)
            #expect(loaded.metrics.redirectCount == (path == "/near" ? 1 : 0))
            #expect(loaded.metrics.protocolName == "http/1.1")
            #expect(loaded.metrics.remoteAddress == "127.0.0.1")
        }
        #expect(server.requestCount == 5)
        #expect(server.connectionCount == 1)
    }
}
#endif
