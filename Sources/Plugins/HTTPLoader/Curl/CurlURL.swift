#if HTTP
import CCurlShim
import Calotype

/// libcurl's URL parser. Use it on one thread at a time.
struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    /// Creates an empty URL.
    init() throws(ImageError) {
        guard let handle = curl_url() else { throw .noMemoryForCurl }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Reads a URL, which may be relative to the URL that was read before. Returns nil on success, or a clause that
    /// names the problem.
    ///
    /// All schemes are accepted and blanks are escaped, because servers send such URLs in redirects.
    func read(_ text: String) -> String? {
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        // libcurl would end the text at a zero byte; other parsers would not.
        guard !text.utf8.contains(0) else { return "it has a zero byte" }
        let code = curl_url_set(handle, CURLUPART_URL, text, flags)
        return code == CURLUE_OK ? nil : String(cString: curl_url_strerror(code))
    }

    /// A clause for an error message if the scheme is neither `http` nor `https`; otherwise nil.
    var schemeProblem: String? {
        let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        return scheme == "http" || scheme == "https" ? nil : "its scheme is '\(scheme)', not http or https"
    }

    /// The host; nil if there is none. An IPv6 address has no brackets and includes its zone.
    var host: String? {
        guard let host = part(CURLUPART_HOST), host.hasPrefix("[") else { return part(CURLUPART_HOST) }
        let zone = part(CURLUPART_ZONEID).map { "%25\($0)" } ?? ""
        return String(host.dropFirst().dropLast()) + zone
    }

    /// Returns whether Foundation finds the same host in `url` as libcurl. If the hosts differed, the loader could
    /// check one host and connect to the other.
    ///
    /// Different notations of the same IPv6 address count as equal (RFC 5952).
    func hasHost(of url: URL) -> Bool {
        guard let host, host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        if let other = url.host(percentEncoded: true), Self.isSame(other, host) { return true }
        // For a name in Punycode, Foundation may return the decoded characters.
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        return parts?.encodedHost.map { Self.isSame($0, host) } ?? false
    }

    private static func isSame(_ other: String, _ host: String) -> Bool {
        let other = other.hasPrefix("[") ? String(other.dropFirst().dropLast()) : other
        guard other.lowercased() != host.lowercased() else { return true }
        guard let address = IPAddress(other) else { return false }
        return address == IPAddress(host)
    }

    /// Returns a part of the URL. Returns nil if the part is missing or cannot be read with `flags`.
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
