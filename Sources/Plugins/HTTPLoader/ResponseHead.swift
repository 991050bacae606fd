#if HTTP
import Calotype

/// What an answer says before its body.
struct ResponseHead: Sendable {
    let status: Int
    /// Bytes of the body; nil when the server does not say.
    let contentLength: Int?
    /// All that it says.
    let lines: HeaderLines
    /// Where it sends on to; nil for what is no redirect.
    let location: String?
    /// Which part of the image follows; nil for what is no part.
    let contentRange: ContentRange?
    /// How long the server wants to be left in peace; nil when it does not say.
    let retryAfter: Duration?

    /// Statuses that send on to another URL. Source: RFC 9110, section 15.4.
    private static let redirects = [301, 302, 303, 307, 308]

    init(status: Int, contentLength: Int?, lines: HeaderLines) {
        self.status = status
        self.contentLength = contentLength
        self.lines = lines
        location = Self.redirects.contains(status) ? lines.first("Location") : nil
        contentRange = status == 206 ? lines.first("Content-Range").flatMap { ContentRange($0) } : nil
        let mayWait = status == 429 || status == 503 || 300..<400 ~= status
        retryAfter = (mayWait ? lines.first("Retry-After") : nil).flatMap {
            Duration(retryAfter: $0, date: lines.first("Date"), now: SystemTime().wallTime())
        }
    }

    /// Bytes of the whole image; nil when the server does not say.
    var wholeByteCount: Int? { contentRange.map { $0.total } ?? contentLength }

    /// Bytes of the body, of a part by its place in the image; nil when the server does not say.
    var bodyByteCount: Int? { wholeByteCount.map { $0 - offset } }

    /// Where in the image the body begins.
    var offset: Int { contentRange?.first ?? 0 }

    /// In lower case, without parameters; nil when there is none that could be one.
    var mimeType: String? { lines.first("Content-Type").flatMap(Self.mimeType) }

    /// How the body is packed, one way after another; nil when it is not. Source: RFC 9110, section 8.4.
    var contentCoding: String? {
        guard let list = lines.joined("Content-Encoding") else { return nil }
        let codings = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.filter { $0 != "identity" }
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }

    var validators: Validators? {
        let tag = lines.first("ETag")
        let date = lines.first("Last-Modified")
        return tag == nil && date == nil ? nil : Validators(entityTag: tag, lastModified: date)
    }

    private static func mimeType(_ value: String) -> String? {
        let slash = UInt8(ascii: "/")
        let type = value.utf8.prefix { $0.isTokenCharacter || $0 == slash }
        return type.count <= 127 && type.contains(slash) ? String(Substring(type)).lowercased() : nil
    }
}
#endif
