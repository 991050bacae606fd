#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// The `Retry-After` field of failed requests.
@Suite(.timeLimit(.minutes(5)))
struct RetryAfterTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()

    init() throws { server = try ScriptedServer() }

    /// Returns the error of a request with a status as the response.
    private func error(_ status: Int, _ headers: ScriptedHeaders = [:]) async throws -> ImageError {
        server.answer("/picture.raw", with: .status(status, headers: headers))
        return try #require(await imageError { try await loader.fetch(server.url("/picture.raw")) })
    }

    @Test(arguments: [429, 503, 300, 304])
    func `the delay is read for the statuses that define it`(status: Int) async throws {
        let error = try await error(status, ["Retry-After": "120"])
        #expect(error.retryAfter == .seconds(120))
        #expect((error.cause as? HTTPFailure)?.retryAfter == .seconds(120))
        let silent = try await self.error(status)
        #expect(silent.retryAfter == nil)
        #expect((silent.cause as? HTTPFailure)?.retryAfter == nil)
    }

    @Test(arguments: [400, 404, 410, 500, 502])
    func `the delay is ignored for other statuses`(status: Int) async throws {
        #expect(try await error(status, ["Retry-After": "120"]).retryAfter == nil)
    }

    @Test func `a date is relative to the Date of the response`() async throws {
        let error = try await error(
            503, ["Date": "Fri, 31 Dec 1999 23:59:29 GMT", "Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"])
        #expect(error.retryAfter == .seconds(30))
        #expect(error.advice == "try again in 30 seconds")
        let past = try await self.error(503, ["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"])
        #expect(past.retryAfter == .zero)
    }

    @Test(
        arguments: [
            ("0", nil, 0), ("120", nil, 120), ("99999999999999999999", nil, 2_147_483_648),
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, 10), ("Sunday, 06-Nov-94 08:49:47 GMT", nil, 10),
            ("Sun Nov  6 08:49:47 1994", nil, 10), ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 0),
            ("Sun, 06 Nov 1994 08:49:27 GMT", nil, 0), ("Fri, 31 Dec 9999 23:59:59 GMT", nil, 2_147_483_648),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:17 GMT", 30),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:57 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "nonsense", 10), ("120", "nonsense", 120),
        ] as [(String, String?, Int)])
    func `seconds and dates are read`(value: String, date: String?, seconds: Int) {
        #expect(Duration(retryAfter: value, date: date, now: 784_111_777) == .seconds(seconds))
    }

    @Test func `parts of a second are rounded up`() {
        #expect(
            Duration(retryAfter: "Sun, 06 Nov 1994 08:49:47 GMT", date: nil, now: 784_111_776.5) == .seconds(11))
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "soon", "120 s", "1994-11-06T08:49:37Z", "0, 0"])
    func `an invalid delay is ignored`(value: String) async throws {
        #expect(Duration(retryAfter: value, date: nil, now: 0) == nil)
        let error = try await error(503, ["Retry-After": value])
        #expect(error.retryAfter == nil)
        #expect(error.advice == "try again later")
    }

    @Test(
        arguments: [
            (408, true), (429, true), (500, true), (502, true), (503, true), (504, true), (300, false), (400, false),
            (401, false), (404, false), (410, false), (501, false), (505, false),
        ])
    func `transient statuses are told from lasting ones`(status: Int, isTransient: Bool) async throws {
        #expect(try await error(status).isTransient == isTransient)
    }
}
#endif
