#if HTTP
import CCurlShim
import Calotype

extension CurlHandle {
    /// Nobody sends more of one name; libcurl finds each by counting through all from the first on.
    private static let lineLimit = 32

    /// The value of the answer's header of that name, however long, its lines joined by commas (RFC 9110, section 5.3);
    /// nil when there is none.
    func joinedHeader(_ name: String) -> String? {
        var lines: [String] = []
        while lines.count < Self.lineLimit, let line = ccurl_header(easy, name, lines.count) {
            lines.append(String(cString: line))
        }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }
}
#endif
