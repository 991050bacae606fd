#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// The fields of a head that is stored in its original form.
@Suite(.timeLimit(.minutes(5)))
struct HeaderLinesTests {
    @Test func `a field is found by its whole name, whatever its case`() {
        let head = HeaderLines([
            "HTTP/1.1 200 OK\r\n", "Content-Type: image/png\r\n", "content-length: 5\r\n", "X-Vary: a\r\n",
            "Vary-X: b\r\n", "VARY: c\r\n",
        ])
        #expect(head.first("content-type") == "image/png")
        #expect(head.first("Content-Length") == "5")
        #expect(head.first("Vary") == "c")
        #expect(head.joined("vary") == "c")
        for name in ["Content", "ype", "HTTP/1.1 200 OK", "X-Var", "image/png", "ETag"] {
            #expect(head.first(name) == nil, "\(name)")
            #expect(head.joined(name) == nil, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("A: b\r\n", "b"), ("A:b\n", "b"), ("A: \t b c \t\r\n", "b c"), ("A: b", "b"), ("A:\r\n", ""),
            ("A: \t \r\n", ""), ("A: b:c: d\r\n", "b:c: d"), ("A: \"b\"\r\n", "\"b\""), ("A: é\r\n", "é"),
            ("A: b\rc\r\n", "b"), ("A : b\r\n", nil), (" A: b\r\n", nil), ("A\r\n", nil), ("AB: c\r\n", nil),
        ] as [(String, String?)])
    func `a value follows the colon, without surrounding blanks`(line: String, value: String?) {
        #expect(HeaderLines(["HTTP/1.1 200 OK\r\n", line]).first("a") == value)
        #expect(HeaderLines(["HTTP/1.1 200 OK\r\n", line, "B: c\r\n"]).joined("a") == value)
    }

    @Test func `of several fields with one name the first can be read, or all joined with commas`() {
        let head = HeaderLines(["A: 1\r\n", "B: 2\r\n", "a: 3, 4\r\n", "A:\r\n"])
        #expect(head.first("A") == "1")
        #expect(head.joined("A") == "1, 3, 4, ")
        #expect(head.joined("B") == "2")
        let many = HeaderLines((1...5000).map { "A: \($0)\r\n" })
        #expect(many.joined("A") == (1...5000).map { "\($0)" }.joined(separator: ", "))
    }

    @Test func `a line that begins with a blank continues the field before it`() {
        let head = HeaderLines(["A: b,\r\n", " \t c \r\n", "\td\r\n", " \r\n", "B: e\r\n", " A: f\r\n"])
        #expect(head.first("A") == "b, c\td", "leading blanks become one space")
        #expect(head.joined("B") == "e A: f")
    }

    @Test func `an overlong field is ignored where a single value is expected`() {
        let (longest, longer) = (String(repeating: "x", count: 8192), String(repeating: "x", count: 8193))
        let head = HeaderLines(["A: \(longest)\r\n", "B: \(longer)\r\n", "B: short\r\n"])
        #expect(head.first("A") == longest)
        #expect(head.first("B") == nil)
        #expect(head.joined("B") == longer + ", short")
    }

    @Test func `invalid UTF-8 is replaced`() {
        var head = HeaderLines()
        let line = (Array("A: b".utf8) + [0xff, 0x63, 13, 10]).map { CChar(bitPattern: $0) }
        line.withUnsafeBufferPointer { head.append($0) }
        #expect(head.first("A") == "b\u{fffd}c")
    }

    @Test func `removed lines are not found`() {
        var head = HeaderLines(["A: b\r\n"])
        let copy = head
        head.removeAll()
        #expect(head.first("A") == nil)
        #expect(head.byteCount == 0)
        #expect(copy.first("A") == "b")
        #expect(copy.byteCount == 6)
    }
}
#endif
