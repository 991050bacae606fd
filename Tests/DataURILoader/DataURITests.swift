import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeDataURI

/// Decoding of data URIs.
@Suite(.timeLimit(.minutes(5)))
struct DataURITests {
    private func bytes(_ text: String) throws -> [UInt8] { [UInt8](try DataURI(text).decoded()) }

    /// Returns the error for a refused text; nil if it is accepted.
    private func refusal(_ text: String) -> ImageError? {
        do {
            _ = try DataURI(text)
            return nil
        } catch {
            return error as? ImageError
        }
    }

    // MARK: The examples of RFC 2397, section 4

    @Test func `escaped text without a type is plain text`() throws {
        let uri = try DataURI("data:,A%20brief%20note")
        #expect(uri.mediaType == "text/plain")
        #expect(uri.byteCount == 12)
        #expect(try uri.decoded() == Data("A brief note".utf8))
    }

    @Test func `a picture in Base64 has its type and its bytes`() throws {
        let text =
            "R0lGODdhMAAwAPAAAAAAAP///ywAAAAAMAAwAAAC8IyPqcvt3wCcDkiLc7C0qwyGHhSWpjQu5yqmCYsapyuvUUlvONmOZtfzgFz"
            + "ByTB10QgxOR0TqBQejhRNzOfkVJ+5YiUqrXF5Y5lKh/DeuNcP5yLWGsEbtLiOSpa/TPg7JpJHxyendzWTBfX0cxOnKPjgBzi4dii"
            + "nWGdkF8kjdfnycQZXZeYGejmJlZeGl9i2icVqaNVailT6F5iJ90m6mvuTS4OK05M0vDk0Q4XUtwvKOzrcd3iq9uisF81M1OIcR7"
            + "lEewwcLp7tuNNkM3uNna3F2JQFo97Vriy/Xl4/f1cf5VWzXyym7PHhhx4dbgYKAAA7"
        let uri = try DataURI("data:image/gif;base64," + text)
        #expect(uri.mediaType == "image/gif")
        #expect(uri.byteCount == 273)
        #expect(try uri.decoded() == Data(base64Encoded: text))
        #expect(try uri.decoded().starts(with: Data("GIF87a".utf8)))
    }

    @Test func `an invalid escape among valid ones is kept as it is`() throws {
        let uri = try DataURI("data:text/plain;charset=iso-8859-7,%be%fg%be")
        #expect(uri.mediaType == "text/plain")
        #expect(try uri.decoded() == Data([0xBE, 0x25, 0x66, 0x67, 0xBE]))
    }

    @Test func `text with a custom type is kept, including its commas`() throws {
        let uri = try DataURI("data:application/vnd-xxx-query,select_vcount,fcol_from_fieldtable/local")
        #expect(uri.mediaType == "application/vnd-xxx-query")
        #expect(try uri.decoded() == Data("select_vcount,fcol_from_fieldtable/local".utf8))
    }

    // MARK: Media types

    @Test(arguments: [
        ("", "text/plain"), ("image/png", "image/png"), ("IMAGE/Png", "image/png"), ("image/svg+xml", "image/svg+xml"),
        ("image/svg%2Bxml", "image/svg+xml"), ("image/png;", "image/png"), (";charset=UTF-8", "text/plain"),
        ("image/png;name=dot;size=5", "image/png"), ("image/png;name=%22a;b%22", "image/png"),
        ("image/png;name=\"dot.png\"", "image/png"), ("image/png ", "image/png"), ("%20image/png%20;a=b", "image/png"),
        ("image", "text/plain"), ("image/", "text/plain"), ("/png", "text/plain"), ("a/b/c", "text/plain"),
        ("ima ge/png", "text/plain"), ("image/p%C3%A9", "text/plain"), ("image/<png>", "text/plain"),
        ("//host/", "text/plain"), (String(repeating: "a", count: 128) + "/b", "text/plain"),
        (String(repeating: "a/", count: 5000), "text/plain"),
    ])
    func `the media type omits parameters, and defaults to plain text`(written: String, told: String) throws {
        for suffix in ["", ";base64"] {
            let uri = try DataURI("data:\(written)\(suffix),WA")
            #expect(uri.mediaType == told)
            #expect(try uri.decoded() == Data((suffix.isEmpty ? "WA" : "X").utf8))
        }
    }

    @Test(arguments: [
        ";base64", ";BASE64", ";bAsE64", ";base64 ", ";base64%20", "; base64", ";%20%0A base64", "x/y;base64",
        "x/y;a=b;base64", ";base64;base64", "x;base64", ";charset=\"x\";base64", ";a=%22;base64",
    ])
    func `base64 as the last word means Base64`(type: String) throws {
        #expect(try bytes("data:\(type),WA") == [88] as [UInt8])
    }

    @Test(arguments: [
        "base64", "x/base64", ";base64;", ";base64;x", ";base64=", ";base64=x", ";base64x", ";xbase64", ";base 64",
        ";%62ase64", "%3Bbase64", ";a=\"base64\"", ";base64;charset=x", ";base64%2C", ";x=base64", ";base%364",
    ])
    func `base64 elsewhere is an ordinary name`(type: String) throws {
        #expect(try bytes("data:\(type),WA") == [87, 65] as [UInt8])
    }

    @Test func `the first comma begins the data, quoted or not`() throws {
        #expect(try DataURI("data:text/plain;a=\",\",X").decoded() == Data("\",X".utf8))
        #expect(try DataURI("data:text/plain;a=%22%2C%22,X").decoded() == Data("X".utf8))
    }

    @Test func `a fragment is not part of the data, a query is`() throws {
        #expect(try DataURI("data:,X#Y").decoded() == Data("X".utf8))
        #expect(try DataURI("data:,X%23Y").decoded() == Data("X#Y".utf8))
        #expect(try DataURI("data:,X?Y=1&Z").decoded() == Data("X?Y=1&Z".utf8))
        #expect(refusal("data:text/plain#,X")?.code == .badData)
    }

    // MARK: Escapes

    @Test func `every byte can be written as an escape`() throws {
        let all = (0...255).map { UInt8($0) }
        for format in ["%%%02X", "%%%02x"] {
            let text = all.map { String(format: format, Int($0)) }.joined()
            #expect(try bytes("data:image/png,\(text)") == all)
        }
    }

    @Test(arguments: [
        ("%", "%"), ("%%", "%%"), ("%4", "%4"), ("%4%31", "%41"), ("a%", "a%"), ("%zz", "%zz"), ("%+1", "%+1"),
        ("%2541", "%41"), ("%%41", "%A"), ("a b+c", "a b+c"), ("\u{E9}", "\u{E9}"),
    ])
    func `an invalid escape is literal text`(written: String, meant: String) throws {
        #expect(try DataURI("data:,\(written)").decoded() == Data(meant.utf8))
    }

    // MARK: Base64

    static let base64: [(String, [UInt8])] = [
        ("abcd", [105, 183, 29]), ("ab", [105]), ("abc", [105, 183]), ("ab==", [105]), ("abc=", [105, 183]),
        ("ab cd", [105, 183, 29]), (" abcd ", [105, 183, 29]), ("a%20b%0Ac%0D%09%0Cd", [105, 183, 29]),
        ("a\tb\nc\r\u{C}d", [105, 183, 29]), ("ab = =", [105]), ("ab%3D%3D", [105]), ("%61%62cd", [105, 183, 29]),
        ("//A", [255, 240]), ("%2F%2fA", [255, 240]), ("+%2B+", [251, 239]), ("AA/", [0, 15]), ("AAAA", [0, 0, 0]),
    ]

    @Test(arguments: DataURITests.base64)
    func `Base64 is decoded like in browsers`(text: String, expected: [UInt8]) throws {
        #expect(try bytes("data:;base64,\(text)") == expected)
    }

    @Test(arguments: [
        "a", "abcde", "A", "/", "=", "==", "===", "====", "a=", "a==", "a===", "ab=", "ab===", "abc==", "abc===",
        "abcd=", "abcd==", "abcd===", "abcd====", "abcde=", "=a", "=abc", "a=b", "a=b=", "ab=c", "ab=c=", "ab==cd",
        "abc=d", "ab-d", "ab_d", "ab.d", "ab%00d", "ab%C2%A0d", "ab\u{A0}d", "ab%", "ab%3", "ab,d", "abcd!", "\u{E9}",
    ])
    func `invalid Base64 is refused`(text: String) {
        #expect(refusal("data:;base64,\(text)")?.code == .badData)
    }

    @Test func `the error for a refused URI says what to do`() {
        #expect(refusal("data:;base64,ab-d")?.description == Self.urlSafe)
        #expect(refusal("data:;base64,ab_d")?.description == Self.urlSafe)
        #expect(refusal("data:;base64,ab==cd")?.message == "has Base64 that continues after its padding")
        #expect(refusal("data:;base64,ab!d")?.message == "has Base64 with a character outside its alphabet")
        let unfit = "has invalid Base64: 5 digits do not match 0 padding characters"
        #expect(refusal("data:;base64,abcde")?.message == unfit)
        #expect(refusal("data:;base64,ab")?.message == nil)
        #expect(refusal("data:image/png")?.message == "has no comma before its data")
    }

    private static let urlSafe = "has Base64 in the URL-safe alphabet; use + instead of -, and / instead of _"

    @Test(arguments: [
        "data:,", "data:;base64,", "data:;base64,%20 %0A", "data:image/png,#X", "data:image/png;base64,#X",
    ])
    func `a URI without data is refused`(text: String) {
        let error = refusal(text)
        #expect(error?.code == .badData)
        #expect(error?.message == "is empty")
    }

    @Test func `any bytes are decoded, whatever the notation of their Base64`() throws {
        var random = SplitMix64(seed: 2397)
        for count in 1...200 {
            let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            var text = data.base64EncodedString()
            if Bool.random(using: &random) { text = text.filter { $0 != "=" } }
            let spaces = ["", "", "", "", " ", "%0A", "\t"]
            let written = text.utf8.reduce(into: "") { written, byte in
                let escape = String(format: "%%%02x", Int(byte))
                written += Int.random(in: 0...4, using: &random) == 0 ? escape : String(UnicodeScalar(byte))
                written += spaces.randomElement(using: &random) ?? ""
            }
            let uri = try DataURI("data:image/png;base64,\(written)")
            #expect(uri.byteCount == count)
            let isEqual = try uri.decoded() == data
            #expect(isEqual, "\(count) bytes")
        }
    }

    @Test func `no text traps`() throws {
        var random = SplitMix64(seed: 3986)
        let parts = [
            ":", ",", ";", "base64", "image/png", "%", "%2", "%41", "%zz", "=", "A", "+/", "-", " ", "#", "\u{E9}",
        ]
        var taken = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = "data:" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            guard let uri = try? DataURI(text) else { continue }
            taken += 1
            #expect(try uri.decoded().count == uri.byteCount, "\(text)")
        }
        #expect(taken > 100)
    }
}
