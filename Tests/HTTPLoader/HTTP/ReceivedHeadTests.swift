#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// The head of a response that repeats some fields.
@Suite(.timeLimit(.minutes(5)))
struct ReceivedHeadTests {
    static let dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT"]

    private func head(of fields: [(String, String)]) throws -> LoadHead {
        let url = try #require(URL(string: "http://example.test/picture.raw"))
        let lines = HeaderLines(["HTTP/1.1 200 OK\r\n"] + fields.map { "\($0): \($1)\r\n" })
        let answer = ResponseHead(status: 200, contentLength: nil, lines: lines)
        return ReceivedHead(answer: answer, isConfirmation: false, requestedAt: 1, receivedAt: 2)
            .loadHead(for: try HTTPRequest(LoadRequest(url: url), defaults: HTTPHeaders()))
    }

    private func record(of fields: [String: String]) -> HTTPCacheRecord {
        HTTPCacheRecord(status: 200, requestedAt: 1, receivedAt: 2, field: { fields[$0] })
    }

    @Test(
        arguments: [
            ("ETag", ["\"a\"", "\"b\""]), ("Date", ReceivedHeadTests.dates), ("Expires", ReceivedHeadTests.dates),
            ("Last-Modified", ReceivedHeadTests.dates), ("Age", ["5", "9"]),
        ])
    func `the first of repeated single-value fields is used by all readers`(name: String, values: [String]) throws {
        let told = try head(of: values.map { (name, $0) })
        #expect(told.caching == record(of: [name: values[0]]))
        #expect(told.caching != record(of: [name: values[1]]))
        if name == "ETag" { #expect(told.validators == Validators(entityTag: values[0])) }
        if name == "Last-Modified" { #expect(told.validators == Validators(lastModified: values[0])) }
    }

    @Test(
        arguments: [
            ("Cache-Control", ["max-age=60", "no-cache"]), ("Vary", ["Accept", "Accept-Language"]),
            ("Pragma", ["other", "no-cache"]),
        ])
    func `all lines of a list field are used`(name: String, values: [String]) throws {
        let told = try head(of: values.map { (name.uppercased(), $0) })
        #expect(told.caching == record(of: [name: values.joined(separator: ", ")]))
        #expect(told.caching != record(of: [name: values[0]]))
    }

    @Test func `no-store is found, however late it comes`() throws {
        let fields = (0..<32).map { ("Cache-Control", "max-age=\(60 + $0)") }
        #expect(try head(of: fields).isStorable)
        #expect(try !head(of: fields + [("Cache-Control", "no-store")]).isStorable)
    }
}
#endif
