#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Failures: each one with its code, host and cause, reported once, and without effect on caches.
@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer() }

    private static var picture: Data { RawImageCoder.file(width: 40, height: 30) }

    private var url: URL { server.url("/picture.raw") }

    /// A failure of a server.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let response: ScriptedResponse
        let code: ImageError.Code
        /// The part of the message that names the cause.
        let words: String
        let context: ImageContext

        init(
            _ name: String, _ response: ScriptedResponse, _ code: ImageError.Code, _ words: String,
            _ context: ImageContext = []
        ) {
            self.name = name
            self.response = response
            self.code = code
            self.words = words
            self.context = context
        }

        var testDescription: String { name }
    }

    @Test(arguments: FailureTests.broken + FailureTests.unanswered + FailureTests.statuses)
    func `each failure is described, ends once and leaves nothing behind`(wrong: Wrong) async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: wrong.response)
        let error = try #require(await bench.failure(of: url, wrong.context))
        #expect(error.code == wrong.code, "\(error)")
        #expect(error.stage == .load)
        #expect(error.component == bench.loader.name)
        #expect(error.subject == url.absoluteString)
        #expect(error.message.contains("127.0.0.1:\(server.port)"), "\(error)")
        #expect(error.description.contains(wrong.words), "\(error)")
        #expect(error.advice != nil)
        bench.expectNothingKept()
        await bench.manager.waitForEvents()
        let stops = bench.listener.events.filter { event in
            if case .failed = event.kind { event.stage == .load } else { false }
        }
        #expect(stops.map(\.stage) == [.load] as [ImageError.Stage])
        #expect(stops.first?.transfer != nil)
        // The next load is unaffected.
        server.answer("/picture.raw", with: .bytes(Self.picture))
        #expect(try await bench.manager.image(for: url).size == PixelSize(40, 30))
    }

    // MARK: Truncated and invalid responses

    static var broken: [Wrong] {
        let picture = picture
        let typed = ScriptedResponse.bytes(picture, contentType: "image/png")
        let count = picture.count
        let statusLine = "HTTP/1.1 200 OK\r\n"
        return [
            Wrong("closes before the status line", .hangUp, .loadFailed, "without a response"),
            Wrong("closes in the status line", typed.cut(after: 9, of: .whole), .loadFailed, "without a response"),
            Wrong("closes after the status line", typed.cut(after: 17, of: .whole), .incomplete, "ended"),
            Wrong("closes in a header", typed.cut(after: 25, of: .whole), .incomplete, "ended"),
            Wrong("closes before the body", .truncated(picture, sending: 0), .incomplete, "0 of \(count) bytes"),
            Wrong("closes in the body", .truncated(picture, sending: 1000), .incomplete, "1000 of \(count) bytes"),
            Wrong(
                "announces too many bytes", .truncated(picture, announcing: count + 1, sending: count),
                .incomplete, "\(count) of \(count + 1) bytes"),
            Wrong("closes in a chunk", .chunked([picture]).cut(after: 1000), .incomplete, "ended after"),
            Wrong(
                "closes between chunks", .chunked([picture, picture], isTerminated: false), .incomplete,
                "ended after \(2 * count) bytes"),
            Wrong("a chunk without a size", chunked("5\r\nhello\r\nzz\r\n"), .loadFailed, "chunk"),
            Wrong("a chunk with a negative size", chunked("-5\r\nhello\r\n0\r\n\r\n"), .loadFailed, "chunk"),
            Wrong("a chunk with an overflowing size", chunked("FFFFFFFFFFFFFFFFFF\r\nhello"), .loadFailed, "chunk"),
            Wrong("resets before the response", .reset, .connectionFailed, "reset"),
            Wrong(
                "resets in the head", typed.cut(after: 25, of: .whole, byReset: true), .connectionFailed, "reset"),
            Wrong("resets in the body", typed.cut(after: 1000, byReset: true), .connectionFailed, "reset"),
            Wrong("text that is not HTTP", raw("220 mail.example ready\r\n\r\n"), .loadFailed, "HTTP"),
            Wrong("meaningless bytes", .raw(Data(repeating: 0xFF, count: 70_000)), .loadFailed, "HTTP"),
            Wrong("an unknown version", raw("HTTP/7.1 200 OK\r\n\r\n"), .loadFailed, "version"),
            Wrong("a status that is not a number", raw("HTTP/1.1 OK 200\r\n\r\n"), .loadFailed, "HTTP"),
            Wrong(
                "a length that is not a number", .bytes(picture, headers: ["Content-Length": "many"]), .loadFailed,
                "Content-Length"),
            Wrong(
                "a negative length", .bytes(picture, headers: ["Content-Length": "-5"]), .loadFailed,
                "Content-Length"),
            Wrong("a zero in a header", raw("\(statusLine)X: a\u{0}b\r\n\r\nhello"), .loadFailed, "header"),
            Wrong("endless headers", .endlessHeaders, .limitExceeded, "256 KiB"),
            Wrong(
                "an endless header", raw("\(statusLine)X: \(String(repeating: "x", count: 400_000))"),
                .limitExceeded, "256 KiB"),
            Wrong(
                "endless interim responses",
                ScriptedResponse(head: [.sendForever(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))]), .limitExceeded,
                "256 KiB"),
            Wrong(
                "a compressed body", .bytes(picture, headers: ["Content-Encoding": "gzip"]), .loadFailed, "gzip"),
            Wrong(
                "a compressed body, according to the second field",
                .bytes(picture, headers: ["Content-Encoding": "identity", "Content-Encoding": "gzip"]), .loadFailed,
                "gzip"),
            Wrong(
                "another response after the body", chunked("5\r\nhello\r\n0\r\nHTTP/1.1 200 : OK\r\n\r\n"),
                .incomplete, "ended after 5 bytes"),
        ]
    }

    private static func chunked(_ wire: String) -> ScriptedResponse { .chunked(wire: Data(wire.utf8)) }

    private static func raw(_ text: String) -> ScriptedResponse { .raw(Data(text.utf8)) }

    // MARK: Missing and slow responses

    static var unanswered: [Wrong] {
        let soon: ImageContext = [.transferTimeout(.milliseconds(200))]
        let slow: ImageContext = [.lowSpeedLimit(1 << 20), .lowSpeedTime(.seconds(1))]
        let answer = ScriptedResponse.bytes(picture)
        return [
            Wrong("no response", .silence, .timedOut, "0.2 s", soon),
            Wrong(
                "no more in the head", answer.stalled(after: 9, of: .whole, at: BlockingGate()), .timedOut, "0.2 s",
                soon),
            Wrong("no more in the body", answer.stalled(after: 1000, at: BlockingGate()), .timedOut, "0.2 s", soon),
            Wrong(
                "too slow in the body", answer.stalled(after: 1000, at: BlockingGate()), .timedOut,
                "\(1 << 20) bytes per second", slow),
            Wrong("too slow before the response", .silence, .timedOut, "\(1 << 20) bytes per second", slow),
        ]
    }

    @Test func `a TLS connection that is not established times out`() async throws {
        let bench = try HTTPBench()
        let silent = try SilentPort()
        let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/picture.raw"))
        let error = try #require(await bench.failure(of: url, [.connectTimeout(.milliseconds(200))]))
        #expect(error.code == .timedOut)
        #expect(error.message.contains("127.0.0.1:\(silent.port)"))
        #expect(error.message.contains("0.2 s"))
        #expect(error.advice?.contains("connectTimeout") == true)
        bench.expectNothingKept()
    }

    // MARK: Statuses and contents

    static var statuses: [Wrong] {
        let html = ScriptedResponse.html("<!DOCTYPE html><title>Log in</title>")
        let head = Data("HTTP/1.1 404 Not Found\r\n\r\n".utf8)
        let endless = ScriptedResponse(head: [.send(head)], body: [.sendForever(Data(count: 4096))])
        let stalled = ScriptedResponse.html("no", status: 404).stalled(after: 1, at: BlockingGate())
        let bare: [(Int, ImageError.Code, String)] = [
            (404, .notFound, "404 Not Found"), (410, .notFound, "410 Gone"),
            (401, .accessDenied, "401 Unauthorized"), (403, .accessDenied, "403 Forbidden"),
            (400, .badStatus, "400 Bad Request"), (418, .badStatus, "418"),
            (429, .badStatus, "429 Too Many Requests"), (500, .badStatus, "500 Internal Server Error"),
            (503, .badStatus, "503 Service Unavailable"), (304, .badStatus, "304 Not Modified"),
            (300, .badStatus, "300 Multiple Choices"), (599, .badStatus, "599"),
        ]
        let wrongs = bare.map { status, code, words in Wrong("status \(status)", .status(status), code, words) }
        return wrongs + [
            Wrong("an unrequested protocol", .status(101), .badStatus, "101"),
            Wrong("an unrequested protocol with a body", .bytes(picture, status: 101), .badStatus, "101"),
            Wrong("an error page", .html("<h1>Sorry</h1>", status: 500), .badStatus, "500"),
            Wrong("an endless error page", endless, .notFound, "404"),
            Wrong("an error page that stalls", stalled, .notFound, "404"),
            Wrong("an unrequested part", .partial(picture, range: 0..<100), .loadFailed, "not requested"),
            Wrong(
                "a page instead of a picture", html, .badContentType, "text/html",
                [.acceptableContentTypes(["image/*"])]),
            Wrong(
                "a status that is not accepted", .bytes(picture), .badStatus, "200",
                [.acceptableStatusCodes([204...299])]
            ),
        ]
    }

    @Test func `the cause of a failed response is an HTTPFailure`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(Self.picture, contentType: "IMAGE/JPEG; q=1", status: 404))
        let missing = try #require(await bench.failure(of: url)?.cause as? HTTPFailure)
        #expect(missing.statusCode == 404)
        #expect(missing.mimeType == "image/jpeg")
        #expect(missing.host == "127.0.0.1:\(server.port)")
        server.answer("/picture.raw", with: .bytes(Self.picture, contentType: "image/jpeg"))
        let none = await bench.failure(of: url, [.acceptableStatusCodes([])])
        #expect((none?.cause as? HTTPFailure)?.statusCode == 200)
        let other = await bench.failure(of: url, [.acceptableContentTypes(["application/json"])])
        #expect(other?.code == .badContentType)
        #expect((other?.cause as? HTTPFailure)?.mimeType == "image/jpeg")
    }

    @Test func `unusual statuses and types can be allowed`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(Self.picture, contentType: "Image/Raw", status: 404))
        let context: ImageContext = [.acceptableStatusCodes([200...299, 404...404])]
        #expect(await bench.failure(of: url, context) == nil)
        // A response that was accepted with weaker settings is not used for a stricter request.
        #expect(await bench.failure(of: url)?.code == .notFound)
        #expect(await bench.failure(of: url, context.merging([.acceptableContentTypes(["image/*"])])) == nil)
        server.answer("/picture.raw", with: .bytes(Self.picture))
        #expect(await bench.failure(of: url, [.acceptableContentTypes(["image/*"])]) == nil, "the response has no type")
    }

    @Test func `the Retry-After field is passed on`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .status(503, headers: ["Retry-After": "7"]))
        #expect(await bench.failure(of: url)?.advice?.contains("7 seconds") == true)
        server.answer("/picture.raw", with: .status(429, headers: ["Retry-After": "now\u{1B}[31m"]))
        #expect(await bench.failure(of: url)?.advice?.contains("now") == false)
    }

    @Test func `the connection is reused after a short error page`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .html(String(repeating: "sorry ", count: 3000), status: 404))
        for _ in 0..<3 { #expect(await bench.failure(of: url)?.code == .notFound) }
        #expect(server.requestCount == 3)
        #expect(server.connectionCount == 1)
    }

    @Test func `server text in an error has no terminal control characters`() async throws {
        let bench = try HTTPBench()
        for headers in [["Content-Encoding": "\u{1B}[31m"], ["Content-Type": "image/\u{1B}[31m"]] as [ScriptedHeaders] {
            server.answer("/picture.raw", with: .bytes(Self.picture, status: 404, headers: headers))
            let refused = await bench.failure(of: url)
            server.answer("/picture.raw", with: .bytes(Self.picture, headers: headers))
            let packed = await bench.failure(of: url, [.acceptableContentTypes(["image/png"])])
            for error in [refused, packed] {
                #expect(error?.description.contains("\u{1B}") != true, "\(headers)")
            }
        }
    }

    // MARK: Failures of the pipeline

    @Test(arguments: [ScriptedResponse.status(204), .bytes(Data()), .chunked([]), .unknownLength(Data())])
    func `an empty body is an error`(response: ScriptedResponse) async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: response)
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .badData)
        #expect(error.message == "is empty")
        #expect(error.subject == url.absoluteString)
        bench.expectNothingKept()
    }

    @Test func `an HTML page is an error`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .html("<!DOCTYPE html><title>Log in</title>"))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .unknownFormat)
        #expect(error.subject == url.absoluteString)
        bench.expectNothingKept()
    }

    @Test func `a picture shorter than its format needs is an error`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(Self.picture, headers: ["Content-Length": "1000"]))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .badData)
        #expect(error.stage == .decode)
        bench.expectNothingKept()
    }

    @Test func `an absurd length is refused before the first byte`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .truncated(Self.picture, announcing: 1 << 50, sending: 1000))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("announces"))
        bench.expectNothingKept()
        // The loader alone ignores the announced length until the bytes end.
        #expect(await imageError { try await bench.loader.fetch(url) }?.code == .incomplete)
    }

    @Test func `an endless body is refused at the limit`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .endlessBody(repeating: Data(count: 10_000)))
        let error = try #require(await bench.failure(of: url, [.maxInputBytes(20_000)]))
        #expect(error.code == .limitExceeded)
        await server.waitForOpenConnections(atMost: 0)
        bench.expectNothingKept()
    }

    // MARK: No server

    @Test func `a port without a listener is a connection failure`() async throws {
        let bench = try HTTPBench()
        let url = try #require(URL(string: "http://127.0.0.1:1/picture.raw"))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .connectionFailed)
        #expect(error.message.contains("127.0.0.1:1"))
        #expect(error.message.contains("refused"), "\(error)")
        #expect(error.advice != nil)
        bench.expectNothingKept()
    }

    @Test func `an unknown host is an error`() async throws {
        let bench = try HTTPBench()
        // A label of 64 characters is invalid (RFC 1035, section 2.3.4), so no resolver is queried.
        let host = String(repeating: "a", count: 64) + ".invalid"
        let url = try #require(URL(string: "http://\(host)/picture.raw"))
        let error = try #require(await bench.failure(of: url))
        #expect(error.code == .hostNotFound)
        #expect(error.message.contains(host))
        #expect(error.advice != nil)
        bench.expectNothingKept()
    }

    @Test func `a stopped server is an error`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(Self.picture))
        #expect(await bench.failure(of: url) == nil)
        server.stop()
        let error = await bench.failure(of: url, [.fromLoaderOnly])
        #expect(error?.code == .connectionFailed)
        #expect(await bench.failure(of: url) == nil, "the cached copy is still available")
    }

    @Test func `many loads from a silent host each end at their own timeout`() async throws {
        let silent = try SilentPort()
        let loader = CurlImageLoader()
        let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/a.png"))
        let times = try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let start = ContinuousClock.now
                    let error = await imageError { try await loader.fetch(url, [.connectTimeout(.seconds(1))]) }
                    #expect(error?.code == .timedOut)
                    return start.duration(to: .now)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // In sequence they would take six seconds. The speed of the machine affects all of them equally.
        let (first, last) = (try #require(times.min()), try #require(times.max()))
        #expect(last < first * 3, "\(times)")
    }
}
#endif
