#if HTTP
import Calotype

/// The head of a response: its status and its headers.
struct ResponseHead: Sendable {
    let status: Int
    /// The length of the body in bytes; nil if the server does not announce it.
    let contentLength: Int?
    /// The header lines.
    let lines: HeaderLines
    /// The target of a redirect, as the server wrote it; nil for other responses.
    let location: String?
    /// The range of the image that the body contains; nil if the response is not partial or states no valid range.
    let contentRange: ContentRange?
    /// The time to wait before another request; nil if unknown. Always nil for statuses other than 429, 503 and 3xx.
    let retryAfter: Duration?

    /// The statuses of redirects. Source: RFC 9110, section 15.4.
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

    /// The length of the whole image in bytes; nil if the server does not announce it.
    var wholeByteCount: Int? { contentRange.map { $0.total } ?? contentLength }

    /// The length of the body in bytes; nil if the server does not announce it. For a partial response, the length from
    /// the offset of the range to the end of the image.
    var bodyByteCount: Int? { wholeByteCount.map { $0 - offset } }

    /// The offset of the body in the image, in bytes; 0 unless the response is partial.
    var offset: Int { contentRange?.first ?? 0 }

    /// The media type in lower case, without parameters; nil if there is no valid one.
    var mimeType: String? { lines.first("Content-Type").flatMap(Self.mimeType) }

    /// The content codings of the body, separated by commas; nil if it is not encoded. Source: RFC 9110, section 8.4.
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
