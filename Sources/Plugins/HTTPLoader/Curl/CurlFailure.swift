#if HTTP
import CCurlShim

/// An error of libcurl's, which is the cause of errors such as `connectionFailed`.
struct CurlFailure: Error {
    let code: CURLcode
    let text: String

    /// A failure; `text` is what libcurl wrote of this very transfer, which is more than the code says, or nothing.
    init(_ code: CURLcode, text: String = "") {
        self.code = code
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text.printable
    }
}

extension CurlFailure: CustomStringConvertible {
    var description: String { text }
}

extension String {
    /// The text with a question mark for each control character, and no longer than a message should be. For text from
    /// servers.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(200).map { $0.properties.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it neither controls a terminal nor turns the direction of text.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
#endif
