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

/// Connections, counters, and stopping a server.
@Suite(.timeLimit(.minutes(5)))
struct ScriptedServerTests {
    private let server: ScriptedServer
    private let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"

    init() throws {
        server = try ScriptedServer()
        server.answer("/a", with: .bytes(Data("abc".utf8)))
    }

    // MARK: Connections

    @Test func `many requests share one connection`() async throws {
        let client = try RawClient(server)
        for _ in 0..<50 {
            try client.ask("/a")
            #expect(try client.receives(answer))
        }
        #expect(server.requestCount == 50)
        #expect(server.connectionCount == 1)
        #expect(server.openConnectionCount == 1)
        client.disconnect()
        await server.waitForOpenConnections(atMost: 0)
        #expect(server.connectionCount == 1)
    }

    @Test func `pipelined requests are answered in order`() throws {
        server.answerOthers { request in .bytes(Data(request.path.utf8)) }
        let client = try RawClient(server)
        try client.write((100..<200).map { "GET /\($0) HTTP/1.1\r\n\r\n" }.joined())
        for number in 100..<200 {
            #expect(try client.receives("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n/\(number)"))
        }
        #expect(server.requestCount == 100)
        #expect(server.connectionCount == 1)
    }

    @Test func `a request may arrive byte by byte`() throws {
        let client = try RawClient(server)
        for _ in 0..<2 {
            for character in "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxy".utf8 {
                try client.write(String(decoding: [character], as: UTF8.self))
            }
            #expect(try client.receives(answer))
        }
        let bodies = server.requests.map(\.body)
        #expect(bodies == [Data("xy".utf8), Data("xy".utf8)])
    }

    @Test func `a connection closes at the client's request`() throws {
        for (lines, closes) in [
            ("GET /a HTTP/1.1\r\nconnection: Close\r\n", true), ("GET /a HTTP/1.0\r\n", true),
            ("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n", false), ("GET /a HTTP/1.1\r\n", false),
        ] {
            let client = try RawClient(server)
            try client.write(lines + "\r\n")
            if closes {
                #expect(try client.readToEnd() == answer)
            } else {
                #expect(try client.receives(answer))
                try client.ask("/a", headers: ["Connection": "close"])
                #expect(try client.readToEnd() == answer)
            }
        }
    }

    @Test func `a connection closes if the response says so`() throws {
        server.answer("/a", with: .bytes(Data("abc".utf8), headers: ["Connection": "close"]))
        let client = try RawClient(server)
        // The second request has arrived, unread, when the connection is closed.
        try client.write("GET /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        #expect(server.requestCount == 1)
        #expect(server.openConnectionCount == 0)
    }

    @Test func `connections are served concurrently`() async throws {
        let gate = BlockingGate()
        server.answer("/held", with: .bytes(Data("abc".utf8)).stalled(after: 0, of: .whole, at: gate))
        let held = try (0..<30).map { _ in try RawClient(server) }
        for client in held { try client.ask("/held") }
        await gate.waitForArrivals(30)
        let client = try RawClient(server)
        try client.ask("/a")
        #expect(try client.receives(answer))
        #expect(server.connectionCount == 31)
        #expect(server.openConnectionCount == 31)
        gate.open()
        for client in held { #expect(try client.receives(answer)) }
    }

    // MARK: Counters

    @Test func `a request is recorded as it was sent`() throws {
        let client = try RawClient(server)
        try client.ask("/a")
        #expect(try client.receives(answer))
        let other = try RawClient(server)
        try other.ask(
            "/a?b=c%20d", method: "PUT",
            headers: ["Host": "h:1", "Accept": " image/* \t", "X-Two": "1", "x-two": "2", "Content-Length": "4"],
            body: "body")
        #expect(try other.receives(answer))
        let request = try #require(server.requests.last)
        #expect(request.method == "PUT")
        #expect(request.target == "/a?b=c%20d")
        #expect(request.path == "/a")
        #expect(request.version == "HTTP/1.1")
        #expect(request.headers["accept"] == "image/*")
        #expect(request.headers["Accept-Language"] == nil)
        #expect(request.headers.values(of: "X-TWO") == ["1", "2"] as [String])
        #expect(request.headers.fields.first == ScriptedHeaders.Field(name: "Host", value: "h:1"))
        #expect(request.body == Data("body".utf8))
        #expect(request.connection == 2)
        #expect(request.attempt == 2)
    }

    @Test func `requests are counted by path and by query`() throws {
        let client = try RawClient(server)
        for target in ["/a", "/a?b", "/a?b", "/a?c", "/d"] {
            try client.ask(target, method: "HEAD")
            let length = target == "/d" ? "Content-Type: text/plain\r\nContent-Length: 22" : "Content-Length: 3"
            let status = target == "/d" ? "404 Not Found" : "200 OK"
            #expect(try client.receives("HTTP/1.1 \(status)\r\n\(length)\r\n\r\n"))
        }
        let counts = ["/a", "/a?b", "/a?c", "/d", "/e"].map { server.requestCount(of: $0) }
        #expect(counts == [4, 2, 1, 1, 0] as [Int])
    }

    @Test func `a waiter resumes when its condition is met`() async throws {
        let gate = BlockingGate()
        server.answer("/held", with: .bytes(Data("abc".utf8)).stalled(after: 0, of: .whole, at: gate))
        async let requests: Void = server.waitForRequests(3)
        async let ofPath: Void = server.waitForRequests(2, of: "/held")
        async let answers: Void = server.waitForAnswers(3)
        let clients = try ["/held", "/a", "/held"].map { path in
            let client = try RawClient(server)
            try client.ask(path)
            return client
        }
        await requests
        await ofPath
        #expect(server.requestCount == 3)
        #expect(server.requests.filter { $0.outcome != nil }.count <= 1)
        gate.open()
        await answers
        #expect(server.requests.allSatisfy { $0.outcome == .played })
        for client in clients { #expect(try client.receives(answer)) }
    }

    @Test func `sent bytes are counted`() async throws {
        let client = try RawClient(server)
        for _ in 0..<3 { try client.ask("/a") }
        #expect(try client.receives(answer + answer + answer))
        await server.waitForAnswers(3)
        let counts = server.requests.map(\.bytesSent)
        #expect(counts == [answer.utf8.count, answer.utf8.count, answer.utf8.count] as [Int])
        #expect(server.bytesSent == 3 * answer.utf8.count)
    }

    @Test func `a body without a reader is not sent`() async throws {
        let server = try ScriptedServer(sendBufferSize: 16 << 10)
        server.answer("/large", with: .endlessBody(repeating: Data(count: 1 << 16)))
        let client = try RawClient(server)
        try client.ask("/large")
        #expect(try client.receives("HTTP/1.1 200 OK\r\n"))
        client.disconnect()
        await server.waitForAnswers(1)
        #expect(server.requests[0].outcome == .abandoned)
        // More than the system's buffers on both sides can hold.
        #expect(server.bytesSent < 16 << 20)
    }

    // MARK: Invalid requests

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET  HTTP/1.1\r\n\r\n", 400),
        ("GET /a HTTP/2.0\r\n\r\n", 505), ("GET /a b HTTP/1.1\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\n: x\r\n\r\n", 400), ("GET /a HTTP/1.1\r\nA : x\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nA: x\ry\r\n\r\n", 400), ("GET /a HTTP/1.1\r\nA: x\r\n folded\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), ("GET /a HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", 413),
        ("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ])
    func `an invalid request is refused and not counted`(text: String, status: Int) throws {
        let client = try RawClient(server)
        try client.write(text)
        let answer = try client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(server.requestCount == 0)
        #expect(server.openConnectionCount == 0)
    }

    @Test func `a head has a maximum length`() throws {
        let most = 64 << 10
        let start = "GET /a HTTP/1.1\r\nConnection: close\r\nX: "
        let client = try RawClient(server)
        try client.write(start + String(repeating: "x", count: most - start.utf8.count - 4) + "\r\n\r\n")
        #expect(try client.readToEnd() == answer)

        let other = try RawClient(server)
        try other.write(start + String(repeating: "x", count: most - start.utf8.count + 1))
        #expect(try other.readToEnd().hasPrefix("HTTP/1.1 431 "))
        #expect(server.requestCount == 1)
    }

    // MARK: Stopping

    @Test func `a stopped server is unreachable, and its records stay`() throws {
        let (idle, silent) = (try RawClient(server), try RawClient(server))
        try idle.ask("/a")
        #expect(try idle.receives(answer))
        server.answer("/silent", with: .silence)
        try silent.ask("/silent")
        #expect(try socketCount() >= 1)

        server.stop()
        server.stop()
        #expect(try socketCount() == 0)
        #expect(server.openConnectionCount == 0)
        #expect(try idle.readToEnd().isEmpty)
        let failure = try RawClient.failure { try RawClient(server) }
        #expect(failure == RawClient.Failure(code: ECONNREFUSED))
        #expect(server.requests.first?.path == "/a")
        #expect(server.connectionCount >= 1)
    }

    @Test func `a stopped server aborts its responses`() async throws {
        server.answer("/endless", with: .endlessBody(repeating: Data(count: 1 << 16)))
        let client = try RawClient(server)
        try client.ask("/endless")
        #expect(try client.receives("HTTP/1.1 200 OK\r\n"))
        server.stop()
        #expect(server.requests[0].outcome == .abandoned)
    }

    @Test func `a server stops when it is released`() throws {
        var server: ScriptedServer? = try ScriptedServer()
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        server = nil
        let failure = try RawClient.failure { try RawClient(port: port) }
        #expect(failure == RawClient.Failure(code: ECONNREFUSED))
        // Accepted before the end, or refused by it.
        let ending = try RawClient.failure { try client.readToEnd() }
        #expect(ending == nil || ending == RawClient.Failure(code: ECONNRESET))
    }

    @Test func `a response may stop its own server`() async throws {
        server.answer("/stop") { [server] _ in
            server.stop()
            return .hangUp
        }
        let client = try RawClient(server)
        try client.ask("/stop")
        #expect(try client.readToEnd().isEmpty)
        await server.waitForOpenConnections(atMost: 0)
        await server.waitForAnswers(1)
        let failure = try RawClient.failure { try RawClient(server) }
        #expect(failure == RawClient.Failure(code: ECONNREFUSED))
    }

    /// Returns the number of this process's descriptors for sockets at the server's port.
    private func socketCount() throws -> Int {
        #if canImport(Darwin)
        return server.openConnectionCount
        #else
        // Read to its end: reading it as a string stops after the first page.
        let bytes = try FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readToEnd()
        let table = String(decoding: bytes ?? Data(), as: UTF8.self)
        var sockets: Set<String> = []
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            let (address, inode) = (columns[1], columns[9])
            if Int(address.suffix(4), radix: 16) == server.port { sockets.insert("socket:[\(inode)]") }
        }
        let files = FileManager.default
        let directory = "/proc/self/fd"
        // Concurrent tests open and close descriptors.
        return try files.contentsOfDirectory(atPath: directory).count { descriptor in
            guard let target = try? files.destinationOfSymbolicLink(atPath: "\(directory)/\(descriptor)") else {
                return false
            }
            return sockets.contains(target)
        }
        #endif
    }
}
