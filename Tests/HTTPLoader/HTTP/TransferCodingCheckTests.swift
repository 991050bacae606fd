#if HTTP
import Testing

@testable import CalotypeHTTP

@Suite(.timeLimit(.minutes(5)))
struct TransferCodingCheckTests {
    /// Returns the first coding that is refused in the lines of a head.
    private static func refused(in lines: [String]) -> String? {
        var check = TransferCodingCheck()
        for line in lines {
            let bytes = line.utf8.map { CChar(bitPattern: $0) }
            if let coding = bytes.withUnsafeBufferPointer({ check.refusedCoding(in: $0) }) { return coding }
        }
        return nil
    }

    @Test(
        arguments: [
            (["Transfer-Encoding: chunked\r\n"], nil), (["Transfer-Encoding: identity\n"], nil),
            (["transfer-encoding:CHUNKED"], nil), (["Transfer-Encoding:\r\n"], nil),
            (["Transfer-Encoding: , chunked,\t\r\n"], nil), (["Transfer-Encoding: gzip, chunked\r\n"], "gzip"),
            (["Transfer-Encoding: chunked, deflate\r\n"], "deflate"), (["Transfer-Encoding\t : br\r\n"], "br"),
            (["Transfer-Encoding: chunkedx\r\n"], "chunkedx"), (["Transfer-Encoding: chunke\r\n"], "chunke"),
            (["Transfer-Encoding: \"chunked\"\r\n"], "\"chunked\""),
            (["Transfer-Encoding: chunked\u{0}\r\n"], "chunked\u{0}"),
            (["Transfer-Encodings: gzip\r\n"], nil), (["X-Transfer-Encoding: gzip\r\n"], nil),
            (["Transfer-Encoding\r\n"], nil), (["TE: gzip\r\n"], nil), ([""], nil), (["\r\n"], nil),
        ] as [([String], String?)])
    func `a field is parsed as a list of codings`(lines: [String], refused: String?) {
        #expect(Self.refused(in: ["HTTP/1.1 200 OK\r\n"] + lines) == refused)
    }

    @Test(
        arguments: [
            (["Transfer-Encoding: chunked\r\n", " , gzip\r\n"], "gzip"),
            (["Transfer-Encoding:\r\n", "\tchunked\r\n", " gzip\r\n"], "gzip"),
            (["Transfer-Encoding: chunked\r\n", "X: y\r\n", " gzip\r\n"], nil),
            (["Transfer-Encoding: chunked\r\n", "\r\n", " gzip\r\n"], nil), ([" gzip\r\n"], nil),
            (["Transfer-Encoding: chunked\r\n", "X: y\r\n", "Transfer-Encoding: gzip\r\n"], "gzip"),
        ] as [([String], String?)])
    func `a field may be folded, and may be repeated`(lines: [String], refused: String?) {
        #expect(Self.refused(in: lines) == refused)
    }
}
#endif
