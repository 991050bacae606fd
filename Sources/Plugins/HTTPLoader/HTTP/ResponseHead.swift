#if HTTP
import Calotype

/// The part of an answer before its body.
struct ResponseHead: Sendable {
    let status: Int
    /// Bytes of the body; nil when the server does not say.
    let contentLength: Int?
    /// The lines.
    let lines: HeaderLines
    /// The target of a redirect; nil for other answers.
    let location: String?
    /// The part of the image that follows; nil if the answer is no part.
    let contentRange: ContentRange?
    /// The time after which the server wants to be asked again; nil if it does not say.
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

    /// The offset of the body in the image.
    var offset: Int { contentRange?.first ?? 0 }

    /// The media type in lower case, without parameters; nil if there is none that could be one.
    var mimeType: String? { lines.first("Content-Type").flatMap(Self.mimeType) }

    /// The codings of the body, in their order; nil if there is none. Source: RFC 9110, section 8.4.
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
