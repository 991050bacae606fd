#if HTTP
import CCurlShim

/// An error of libcurl, used as the cause of errors such as `connectionFailed`.
struct CurlFailure: Error {
    let code: CURLcode
    let text: String

    /// Creates a failure.
    /// - Parameters:
    ///   - code: The result code.
    ///   - text: libcurl's message about the transfer, which is more specific than the code. If empty, the general
    ///     message for the code is used.
    init(_ code: CURLcode, text: String = "") {
        self.code = code
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text.printable
    }
}

extension CurlFailure: CustomStringConvertible {
    var description: String { text }
}

extension String {
    /// The text for messages: at most 200 characters, with a question mark for each character that could control a
    /// terminal. Use this for text from servers.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(200).map { $0.properties.isPrintable ? $0 : "?" }))
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character can be shown in a message: it neither controls a terminal nor changes the direction of
    /// text.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
#endif
