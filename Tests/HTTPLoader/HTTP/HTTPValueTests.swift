#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// The value types of settings and responses.
@Suite(.timeLimit(.minutes(5)))
struct HTTPValueTests {
    // MARK: Statuses

    @Test(arguments: [
        ("200-299", "200-299"), ("200", "200"), ("304,200-299", "200-299,304"), ("200-299,250-310", "200-310"),
        ("200-299,300", "200-300"), ("404,404", "404"), ("100-999", "100-999"), ("none", "none"),
    ])
    func `status codes have one notation`(text: String, canonical: String) throws {
        let codes = try #require(HTTPStatusCodes(contextText: text))
        #expect(codes.contextText == canonical)
        #expect(HTTPStatusCodes(contextText: canonical) == codes)
    }

    @Test(arguments: [
        "", "-", "ok", "200-", "-299", "299-200", "99", "1000", "200,", ",200", "200-250-299", "200 299", "2e2",
    ])
    func `invalid status codes are rejected`(text: String) {
        #expect(HTTPStatusCodes(contextText: text) == nil)
    }

    @Test func `status codes contain their ranges`() {
        let codes: HTTPStatusCodes = [200...299, 304...304, 0...100, 990...2000]
        for (code, isContained) in [(199, false), (200, true), (299, true), (300, false), (304, true), (305, false)] {
            #expect(codes.contains(code) == isContained, "\(code)")
        }
        #expect(codes.contextText == "100,200-299,304,990-999")
        #expect(!HTTPStatusCodes([]).contains(200))
        #expect(!HTTPStatusCodes([5...7]).contains(5))
    }

    // MARK: Media types

    @Test(arguments: [
        ("image/*", "image/*"), ("IMAGE/PNG,application/octet-stream", "application/octet-stream,image/png"),
        ("image/png,image/png", "image/png"), ("*/*", "*/*"), ("image/png,*/*", "*/*"),
        ("image/svg+xml", "image/svg+xml"),
    ])
    func `media types have one notation`(text: String, canonical: String) throws {
        let types = try #require(MediaTypes(contextText: text))
        #expect(types.contextText == canonical)
        #expect(MediaTypes(contextText: canonical) == types)
    }

    @Test(arguments: ["", "image", "image/", "/png", "image/png/2", "image/png;q=1", "im age/png", "image/png,", ","])
    func `invalid media types are rejected`(text: String) {
        #expect(MediaTypes(contextText: text) == nil)
    }

    @Test func `media types contain the types they match`() {
        let types: MediaTypes = ["image/*", "Application/Octet-Stream"]
        for (type, isContained) in [
            ("image/png", true), ("image/svg+xml", true), ("application/octet-stream", true), ("text/html", false),
            ("imagex/png", false), ("application/octet-stream2", false),
        ] {
            #expect(types.contains(type) == isContained, "\(type)")
        }
        #expect(MediaTypes.all.contains("text/html"))
        #expect(MediaTypes([]) == .all)
    }

    // MARK: Ranges

    @Test(
        arguments: [
            ("bytes 0-9/10", 0, 9, 10), ("bytes 5-5/6", 5, 5, 6), ("BYTES 5-9/100", 5, 9, 100),
            ("bytes 5-9/*", 5, 9, nil), ("bytes 5-9223372036854775807/*", 5, .max, nil),
            ("bytes 5-9223372036854775806/9223372036854775807", 5, .max - 1, .max),
        ] as [(String, Int, Int, Int?)])
    func `ranges are read`(value: String, first: Int, last: Int, total: Int?) throws {
        let range = try #require(ContentRange(value))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes */10", "bytes 5-4/10", "bytes 0-10/10", "bytes -5/10", "bytes 5-/10", "bytes 0-9",
        "bytes 0-9/", "bytes 0-9/10/11", "items 0-9/10", "bytes 0-99999999999999999999/*", "bytes a-b/c", "0-9/10",
    ])
    func `invalid ranges are rejected`(value: String) {
        #expect(ContentRange(value) == nil)
    }
}
#endif
