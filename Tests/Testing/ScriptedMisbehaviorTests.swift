import CalotypeTesting
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Faulty responses arrive byte for byte too, and the connection ends as scripted.
@Suite(.timeLimit(.minutes(5)))
struct ScriptedMisbehaviorTests {
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer() }

    /// Returns a client that has requested a response, on a persistent connection.
    private func asking(for response: ScriptedResponse) throws -> RawClient {
        server.answer("/a", with: response)
        let client = try RawClient(server)
        try client.ask("/a")
        return client
    }

    private func received(_ response: ScriptedResponse) throws -> String {
        try asking(for: response).readToEnd()
    }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    private let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    // MARK: Incomplete responses

    @Test func `a response can end at any byte`() throws {
        let response = ScriptedResponse.interim(103, then: .bytes(data("0123456789")))
        let whole = "HTTP/1.1 103 Early Hints\r\n\r\n" + head + "0123456789"
        #expect(response.byteCount() == whole.utf8.count)
        for count in 0...whole.utf8.count + 1 {
            #expect(try received(response.cut(after: count, of: .whole)) == String(whole.prefix(bytes: count)))
        }
        for count in 0...11 {
            let expected = String(whole.prefix(bytes: whole.utf8.count - 10 + count))
            #expect(try received(response.cut(after: count)) == expected)
        }
    }

    @Test func `chunked and dripped responses can end at any byte`() throws {
        let response = ScriptedResponse.chunked([data("abc"), data("de")]).dripped(.whole, pieceSize: 3)
        let whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        #expect(response.byteCount() == whole.utf8.count)
        for count in 0...whole.utf8.count {
            #expect(try received(response.cut(after: count, of: .whole)) == String(whole.prefix(bytes: count)))
        }
    }

    @Test func `a body can be shorter than announced`() throws {
        #expect(try received(.truncated(data("0123456789"), sending: 4)) == head + "0123")
        #expect(
            try received(.truncated(data("0123456789"), announcing: 99, sending: 10))
                == "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n0123456789")
    }

    @Test func `a connection can close without a response`() throws {
        #expect(try received(.hangUp).isEmpty)
    }

    @Test func `a connection can stay open without a response`() async throws {
        let client = try asking(for: .silence)
        await server.waitForRequests(1)
        #expect(!client.hasInput)
        client.disconnect()
        await server.waitForAnswers(1)
        #expect(server.requests[0].bytesSent == 0)
        #expect(server.requests[0].outcome == .abandoned)
    }

    @Test func `a connection can close after a response that does not announce it`() throws {
        #expect(try received(.bytes(data("0123456789")).closed()) == head + "0123456789")
    }

    // MARK: Invalid responses

    @Test func `a Content-Length can have any value`() throws {
        for length in ["-1", "ten", "", "99999999999999999999", "3, 5", "0x10"] {
            let text = try received(.bytes(data("abc"), headers: ["Content-Length": length]).closed())
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc")
        }
    }

    @Test func `a chunked body can lack its end`() throws {
        let text = try received(.chunked([data("abc")], isTerminated: false))
        #expect(text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    }

    @Test func `chunks can have any size`() throws {
        let wires = [
            "zz\r\nabc\r\n0\r\n\r\n", "5\r\nabc\r\n0\r\n\r\n", "-3\r\nabc\r\n", "", "fffffffffffffffff\r\nabc",
        ]
        for wire in wires {
            let text = try received(.chunked(wire: data(wire)))
            #expect(text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + wire)
        }
    }

    @Test func `any bytes can replace a response`() throws {
        for text in ["SSH-2.0-OpenSSH_9.2\r\n", "\0\u{1}\u{2}", "HTTP/9.9 abc\r\n\r\n", "\r\n\r\n\r\n"] {
            #expect(try received(.raw(data(text))) == text)
        }
    }

    // MARK: Excessive responses

    @Test func `a head can be endless`() async throws {
        let client = try asking(for: .endlessHeaders)
        let text = try client.readText(300_000)
        #expect(text.utf8.count == 300_000)
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines[0] == "HTTP/1.1 200 OK")
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("X-Filler: x") && $0.utf8.count == 1022 })
        client.disconnect()
        await server.waitForAnswers(1)
        #expect(server.requests[0].outcome == .abandoned)
        #expect(server.openConnectionCount == 0)
    }

    @Test func `a body can be endless`() async throws {
        let response = ScriptedResponse.endlessBody(repeating: data("0123456789"), contentType: "image/png")
        #expect(response.byteCount() == .max)
        let client = try asking(for: response)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n\r\n"
        #expect(try client.receives(head + String(repeating: "0123456789", count: 10_000)))
        client.disconnect()
        await server.waitForAnswers(1)
        #expect(server.requests[0].outcome == .abandoned)
        #expect(try received(response.cut(after: 25)) == head + "0123456789012345678901234")
    }

    // MARK: Broken connections

    @Test func `a connection can be reset at once`() async throws {
        let client = try asking(for: .reset)
        let failure = try RawClient.failure { try client.readToEnd() }
        #expect(failure == RawClient.Failure(code: ECONNRESET))
        await server.waitForAnswers(1)
        #expect(server.requests[0].outcome == .played)
        #expect(server.openConnectionCount == 0)
    }

    @Test func `a connection can be reset in the middle`() throws {
        let client = try asking(for: .bytes(data("0123456789")).cut(after: 4, byReset: true))
        #expect(try client.receives(head + "0123"))
        let failure = try RawClient.failure { try client.readToEnd() }
        #expect(failure == RawClient.Failure(code: ECONNRESET))
    }
}

extension String {
    /// Returns the first `count` bytes, or all of them.
    fileprivate func prefix(bytes count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
