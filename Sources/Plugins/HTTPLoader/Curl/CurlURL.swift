#if HTTP
import CCurlShim
import Calotype

/// libcurl's parser of URLs. Used by one thread at a time.
struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    /// An empty one.
    init() throws(ImageError) {
        guard let handle = curl_url() else { throw .noMemoryForCurl }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Takes a URL, or one that is relative to what it has. Returns why it cannot, in half a sentence, or nil.
    ///
    /// All schemes are read, and blanks are escaped, as in what servers send on to.
    func read(_ text: String) -> String? {
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        // A zero would end the text for libcurl alone.
        guard !text.utf8.contains(0) else { return "it has a zero byte" }
        let code = curl_url_set(handle, CURLUPART_URL, text, flags)
        return code == CURLUE_OK ? nil : String(cString: curl_url_strerror(code))
    }

    /// Why the scheme is none of HTTP's, in half a sentence; nil when it is.
    var schemeProblem: String? {
        let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        return scheme == "http" || scheme == "https" ? nil : "its scheme is '\(scheme)', not http or https"
    }

    /// The host; an IPv6 address without brackets, and with its zone.
    var host: String? {
        guard let host = part(CURLUPART_HOST), host.hasPrefix("[") else { return part(CURLUPART_HOST) }
        let zone = part(CURLUPART_ZONEID).map { "%25\($0)" } ?? ""
        return String(host.dropFirst().dropLast()) + zone
    }

    /// Whether Foundation reads the same host in `url`: if not, what is checked there is not what is connected to.
    ///
    /// Addresses may differ in their writing, as IPv6 allows it (RFC 5952). Names are in ASCII.
    func hasHost(of url: URL) -> Bool {
        guard let host, host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        if let other = url.host(percentEncoded: true), Self.isSame(other, host) { return true }
        // Of a name in Punycode Foundation may give the characters that it stands for.
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        return parts?.encodedHost.map { Self.isSame($0, host) } ?? false
    }

    private static func isSame(_ other: String, _ host: String) -> Bool {
        let other = other.hasPrefix("[") ? String(other.dropFirst().dropLast()) : other
        guard other.lowercased() != host.lowercased() else { return true }
        guard let address = IPAddress(other) else { return false }
        return address == IPAddress(host)
    }

    /// A part; nil when there is none, or when it cannot be read as `flags` wish.
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    func removeCredentials() {
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { curl_url_set(handle, part, nil, 0) }
    }

    func removeFragment() { curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }
}
#endif
