import CalotypeTesting
import Foundation
import Testing

/// Stalls last exactly until the gate opens, the client disconnects or the server is stopped.
@Suite(.timeLimit(.minutes(5)))
struct ScriptedStallTests {
    private let server: ScriptedServer
    private let gate = BlockingGate()
    private let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    private let response = ScriptedResponse.bytes(Data("0123456789".utf8))

    init() throws { server = try ScriptedServer() }

    /// Returns a client that has requested a response, on a persistent connection.
    private func asking(for response: ScriptedResponse) throws -> RawClient {
        server.answer("/a", with: response)
        let client = try RawClient(server)
        try client.ask("/a")
        return client
    }

    @Test(arguments: [0, 4, 10])
    func `a body can wait for a gate at any byte`(count: Int) async throws {
        let client = try asking(for: response.stalled(after: count, at: gate))
        await gate.waitForArrivals(1)
        #expect(try client.receives("\(head)\("0123456789".prefix(count))"))
        #expect(!client.hasInput)
        #expect(server.requests[0].bytesSent == head.utf8.count + count)
        #expect(server.requests[0].outcome == nil)
        gate.open()
        #expect(try client.receives(String("0123456789".dropFirst(count))))
        await server.waitForAnswers(1)
        #expect(server.requests[0].bytesSent == head.utf8.count + 10)
        #expect(server.requests[0].outcome == .played)
        // The stall has no further effect.
        try client.ask("/a")
        #expect(try client.receives(head + "0123456789"))
    }

    @Test func `a head can wait too, and after interim responses`() async throws {
        let client = try asking(
            for: .interim(103, then: response.stalled(after: 9, of: .whole, at: gate)))
        await gate.waitForArrivals(1)
        #expect(try client.receives("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 "))
        #expect(!client.hasInput)
        gate.open()
        #expect(try client.receives("\(head.dropFirst(9))0123456789"))
    }

    @Test func `a response can wait several times`() async throws {
        let other = BlockingGate()
        let client = try asking(for: response.stalled(after: 4, at: gate).stalled(after: 4, at: other))
        await gate.waitForArrivals(1)
        gate.open()
        await other.waitForArrivals(1)
        #expect(try client.receives(head + "0123"))
        #expect(!client.hasInput)
        other.open()
        #expect(try client.receives("456789"))
    }

    @Test func `a response can wait before its end`() async throws {
        let client = try asking(for: response.cut(after: 4).stalled(after: 4, at: gate))
        await gate.waitForArrivals(1)
        #expect(try client.receives(head + "0123"))
        #expect(!client.hasInput)
        gate.open()
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `an open gate holds no task`() throws {
        gate.open()
        let client = try asking(for: response.stalled(after: 4, at: gate))
        #expect(try client.receives(head + "0123456789"))
    }

    @Test func `a gate lets all of its waiters through`() async throws {
        server.answer("/a", with: response.stalled(after: 4, at: gate))
        let clients = try (0..<20).map { _ in try RawClient(server) }
        for client in clients { try client.ask("/a") }
        await gate.waitForArrivals(20)
        #expect(server.openConnectionCount == 20)
        gate.open()
        for client in clients { #expect(try client.receives(head + "0123456789")) }
    }

    @Test func `a stall ends when the client disconnects, even if it had sent more requests`() async throws {
        let client = try asking(for: response.stalled(after: 4, at: gate))
        try client.ask("/a")
        await gate.waitForArrivals(1)
        client.disconnect()
        await server.waitForOpenConnections(atMost: 0)
        await server.waitForAnswers(1)
        #expect(server.requestCount == 1)
        #expect(server.requests[0].outcome == .abandoned)
        #expect(server.requests[0].bytesSent == head.utf8.count + 4)
        gate.open()
        #expect(server.requests[0].bytesSent == head.utf8.count + 4)
    }

    @Test func `a stall ends when the server stops`() async throws {
        let client = try asking(for: response.stalled(after: 4, at: gate))
        let silent = try RawClient(server)
        server.answer("/silent", with: .silence)
        try silent.ask("/silent")
        await gate.waitForArrivals(1)
        await server.waitForRequests(2)
        server.stop()
        #expect(server.openConnectionCount == 0)
        #expect(server.requests.allSatisfy { $0.outcome == .abandoned })
        #expect(try client.readToEnd() == head + "0123")
        #expect(try silent.readToEnd().isEmpty)
    }

    @Test func `a gate that is never opened can be released`() {
        var gate: BlockingGate? = BlockingGate()
        weak let remembered = gate
        gate = nil
        #expect(remembered == nil)
    }
}
