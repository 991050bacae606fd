#if HTTP
import CCurlShim

/// An error of libcurl, used as the cause of errors such as `connectionFailed`.
struct CurlFailure: Error {
    let code: CURLcode
    let text: String

    /// Creates a failure. `text` is libcurl's message about this transfer, which is more specific than the code; it may
    /// be empty.
    init(_ code: CURLcode, text: String = "") {
        self.code = code
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text.printable
    }
}

extension CurlFailure: CustomStringConvertible {
    var description: String { text }
}

extension String {
    /// The text for messages, with a question mark for each control character and at most 200 characters. Use this for
    /// text from servers.
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
