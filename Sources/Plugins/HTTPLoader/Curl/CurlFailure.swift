#if HTTP
import CCurlShim

/// An error of libcurl, used as the cause of errors such as `connectionFailed`.
struct CurlFailure: Error {
    let code: CURLcode
    let text: String

    /// Creates a failure from a result code and libcurl's message about the transfer. If the message is empty, the
    /// general message for the code is used.
    init(_ code: CURLcode, text: String = "") {
        self.code = code
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text.printable
    }
}

extension CurlFailure: CustomStringConvertible {
    var description: String { text }
}

extension String {
    /// The first 200 characters, with `?` for those that could control a terminal. Use this for text from servers.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(200).map { $0.properties.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character neither controls a terminal nor changes the direction of text.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
#endif
