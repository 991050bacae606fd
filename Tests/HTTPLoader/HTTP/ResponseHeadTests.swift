#if HTTP
import Testing

@testable import CalotypeHTTP

@Suite(.timeLimit(.minutes(5)))
struct ResponseHeadTests {
    @Test(
        arguments: [
            ([], nil), ([""], nil), ([" , "], nil), (["identity"], nil), (["Identity", "identity, IDENTITY"], nil),
            (["gzip"], "gzip"), (["GZip"], "gzip"), (["identity, gzip"], "gzip"), (["identity", "gzip"], "gzip"),
            (["", "br"], "br"), (["gzip, br"], "gzip, br"), (["gzip", "\tbr ,identity"], "gzip, br"),
        ] as [([String], String?)])
    func `a content coding is found in any line`(values: [String], coding: String?) {
        #expect(head(values).contentCoding == coding)
    }

    @Test func `a content coding is found at any length`() {
        let long = String(repeating: "x", count: 20_000)
        #expect(head([long]).contentCoding == long)
        #expect(head(["identity", "identity, \(long)"]).contentCoding == long)
    }

    private func head(_ codings: [String]) -> ResponseHead {
        let lines = HeaderLines(["HTTP/1.1 200 OK\r\n"] + codings.map { "Content-Encoding: \($0)\r\n" })
        return ResponseHead(status: 200, contentLength: nil, lines: lines)
    }
}
#endif
