#if HTTP
import CCurlShim
import Calotype

/// What an answer says before its body.
struct ResponseHead {
    let status: Int
    /// Bytes of the body; nil when the server does not say.
    let contentLength: Int?
    /// In lower case, without parameters; nil when there is none that could be one.
    let mimeType: String?
    /// How the body is packed; nil when it is not.
    let contentCoding: String?
    /// Where it sends on to; nil for what is no redirect.
    let location: String?
    /// Which part of the image follows; nil for what is no part.
    let contentRange: ContentRange?
    let validators: Validators?
    /// How long the server wants to be left in peace; nil when it does not say.
    let retryAfter: Duration?

    /// Statuses that send on to another URL. Source: RFC 9110, section 15.4.
    private static let redirects = [301, 302, 303, 307, 308]

    /// The head of the answer that a handle has received.
    init(_ handle: CurlHandle) {
        status = handle.number(CURLINFO_RESPONSE_CODE)
        let length = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        contentLength = length >= 0 ? length : nil
        mimeType = handle.header("Content-Type").flatMap(Self.mimeType)
        let coding = handle.header("Content-Encoding")?.lowercased()
        contentCoding = coding == "" || coding == "identity" ? nil : coding
        location = Self.redirects.contains(status) ? handle.header("Location") : nil
        contentRange = status == 206 ? handle.header("Content-Range").flatMap { ContentRange($0) } : nil
        let tag = handle.header("ETag")
        let date = handle.header("Last-Modified")
        validators = tag == nil && date == nil ? nil : Validators(entityTag: tag, lastModified: date)
        let mayWait = status == 429 || status == 503 || 300..<400 ~= status
        retryAfter = (mayWait ? handle.header("Retry-After") : nil).flatMap {
            Duration(retryAfter: $0, date: handle.header("Date"), now: SystemTime().wallTime())
        }
    }

    private static func mimeType(_ value: String) -> String? {
        let slash = UInt8(ascii: "/")
        let type = value.utf8.prefix { $0.isTokenCharacter || $0 == slash }
        return type.count <= 127 && type.contains(slash) ? String(Substring(type)).lowercased() : nil
    }
}
#endif
