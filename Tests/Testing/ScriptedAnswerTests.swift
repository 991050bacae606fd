import CalotypeTesting
import Foundation
import Testing

/// Regular responses arrive byte for byte.
@Suite(.timeLimit(.minutes(5)))
struct ScriptedAnswerTests {
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer() }

    /// Returns all bytes that a client receives if it requests that the connection be closed.
    private func received(
        _ response: ScriptedResponse, for method: String = "GET"
    ) throws -> String {
        server.answer("/a", with: response)
        let client = try RawClient(server)
        try client.ask("/a", method: method, headers: ["Connection": "close"])
        return try client.readToEnd()
    }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    @Test func `a response with bytes has their type and length`() throws {
        #expect(try received(.bytes(data("abc"))) == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        let text = try received(.bytes(data("abc"), contentType: "image/png", status: 203, headers: ["ETag": "\"1\""]))
        let expected = """
            HTTP/1.1 203 Unnamed\r
            Content-Type: image/png\r
            Content-Length: 3\r
            ETag: "1"\r
            \r
            abc
            """
        #expect(text == expected)
        #expect(try received(.bytes(Data())) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `given fields replace the default ones`() throws {
        let text = try received(
            .bytes(
                data("abc"), contentType: "image/png",
                headers: ["content-length": "7", "Content-Type": "text/plain", "Content-Length": "8"]))
        let expected = """
            HTTP/1.1 200 OK\r
            content-length: 7\r
            Content-Type: text/plain\r
            Content-Length: 8\r
            \r
            abc
            """
        #expect(text == expected)
    }

    @Test func `a status without a body has a length of zero if allowed`() throws {
        #expect(try received(.status(404)) == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        #expect(try received(.status(204)) == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(
            try received(.status(304, headers: ["ETag": "\"1\""])) == "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n"
        )
    }

    @Test func `a partial response has its range`() throws {
        let text = try received(.partial(data("0123456789"), range: 3..<7, contentType: "image/png"))
        let expected = """
            HTTP/1.1 206 Partial Content\r
            Content-Type: image/png\r
            Content-Range: bytes 3-6/10\r
            Content-Length: 4\r
            \r
            3456
            """
        #expect(text == expected)
    }

    @Test func `a redirect has a location`() throws {
        #expect(
            try received(.redirect(to: "/b")) == "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
        #expect(
            try received(.redirect(to: "http://host/", status: 308))
                == "HTTP/1.1 308 Permanent Redirect\r\nLocation: http://host/\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `a page is HTML`() throws {
        let expected = """
            HTTP/1.1 502 Bad Gateway\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: 11\r
            \r
            <p>sorry</p
            """
        #expect(try received(.html("<p>sorry</p", status: 502)) == expected)
    }

    @Test func `chunks are framed and ended`() throws {
        let pieces = [data("abc"), Data(), data(String(repeating: "x", count: 26))]
        let expected = """
            HTTP/1.1 200 OK\r
            Content-Type: image/png\r
            Transfer-Encoding: chunked\r
            \r
            3\r
            abc\r
            1a\r
            xxxxxxxxxxxxxxxxxxxxxxxxxx\r
            0\r
            \r

            """
        #expect(try received(.chunked(pieces, contentType: "image/png")) == expected)
    }

    @Test func `a body of unknown length ends with the connection`() throws {
        server.answer("/a", with: .unknownLength(data("abc"), contentType: "image/png"))
        let client = try RawClient(server)
        try client.ask("/a")
        let expected = """
            HTTP/1.1 200 OK\r
            Content-Type: image/png\r
            Connection: close\r
            \r
            abc
            """
        #expect(try client.readToEnd() == expected)
    }

    @Test func `interim responses precede the final one`() throws {
        let response = ScriptedResponse.interim(
            100, then: .interim(103, headers: ["Link": "</b>"], then: .bytes(data("abc"))))
        let expected = """
            HTTP/1.1 100 Continue\r
            \r
            HTTP/1.1 103 Early Hints\r
            Link: </b>\r
            \r
            HTTP/1.1 200 OK\r
            Content-Length: 3\r
            \r
            abc
            """
        #expect(try received(response) == expected)
    }

    @Test func `a HEAD request gets only the head`() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
        #expect(try received(.bytes(data("abc")), for: "HEAD") == head)
        #expect(try received(.bytes(data("abc")).cut(after: 1), for: "HEAD") == head)
    }

    @Test func `steps are played unchanged`() throws {
        let response = ScriptedResponse(
            head: [.send(data("one ")), .send(data("two "), pieceSize: 2)], body: [.send(data("three")), .close])
        server.answer("/a", with: response)
        let client = try RawClient(server)
        try client.ask("/a")
        #expect(try client.readToEnd() == "one two three")
        #expect(response.byteCount() == 13)
        #expect(response.byteCount(of: .body) == 5)
    }

    @Test func `a dripped response has the same bytes`() throws {
        let response = ScriptedResponse.chunked([data("abc"), data("defghijklmn")])
        let expected = try received(response)
        for size in [1, 2, 3, 1000] {
            #expect(try received(response.dripped(pieceSize: size)) == expected)
            #expect(try received(response.dripped(.whole, pieceSize: size)) == expected)
        }
    }

    @Test func `a large body arrives as it is`() throws {
        var generator = SplitMix64(seed: 1)
        var body = Data()
        for _ in 0..<400_000 { withUnsafeBytes(of: generator.next()) { body.append(contentsOf: $0) } }
        let response = ScriptedResponse.bytes(body)
        server.answer("/a", with: response)
        let client = try RawClient(server)
        for _ in 0..<3 {
            try client.ask("/a")
            let received = try client.read(response.byteCount())
            let isSame = received.suffix(body.count) == body
            #expect(isSame)
        }
    }

    // MARK: Selecting a response

    @Test func `an unscripted path is not found`() throws {
        let client = try RawClient(server)
        try client.ask("/nothing", headers: ["Connection": "close"])
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(server.requestCount == 1)
    }

    @Test func `the most specific response is used`() throws {
        server.answer("/a?b=1", with: .raw(data("query")))
        server.answer("/a", with: .raw(data("path")))
        server.answerOthers { request in .raw(Data("other \(request.target)".utf8)) }
        let answers = [
            ("/a?b=1", "query"), ("/a?b=2", "path"), ("/a", "path"), ("/b?c", "other /b?c"),
            ("http://host/a", "path"), ("http://host", "other http://host"),
        ]
        for (target, expected) in answers {
            let client = try RawClient(server)
            try client.ask(target)
            #expect(try client.readToEnd() == expected)
        }
        server.answer("/a", with: .raw(data("new")))
        let client = try RawClient(server)
        try client.ask("/a")
        #expect(try client.readToEnd() == "new")
    }

    @Test func `a response can depend on the request and its number`() throws {
        server.answer("/a") { request in
            request.attempt < 3 ? .status(503) : .bytes(Data(request.method.utf8))
        }
        let client = try RawClient(server)
        let failure = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
        for expected in [failure, failure, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nPOST"] {
            try client.ask("/a", method: "POST")
            #expect(try client.receives(expected))
        }
    }

    @Test func `a server can redirect endlessly`() throws {
        server.answerOthers { request in .redirect(to: request.path + "x") }
        let client = try RawClient(server)
        var path = "/"
        for _ in 0..<30 {
            try client.ask(path)
            path += "x"
            #expect(try client.receives("HTTP/1.1 302 Found\r\nLocation: \(path)\r\nContent-Length: 0\r\n\r\n"))
        }
        #expect(server.connectionCount == 1)
    }

    @Test func `a URL leads to the server`() {
        #expect(server.url("/a%20b?c=d").absoluteString == "http://127.0.0.1:\(server.port)/a%20b?c=d")
        #expect(server.url("/", host: "localhost").absoluteString == "http://localhost:\(server.port)/")
    }
}
