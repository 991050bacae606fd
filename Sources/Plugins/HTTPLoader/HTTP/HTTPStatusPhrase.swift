#if HTTP
/// The meanings of HTTP statuses. Source: RFC 6585, RFC 7725, and section 15 of RFC 9110. The phrases that servers send
/// are not used, because they can contain any text.
enum HTTPStatusPhrase {
    private static let phrases = [
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 412: "Precondition Failed", 414: "URI Too Long", 416: "Range Not Satisfiable",
        421: "Misdirected Request", 426: "Upgrade Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]

    /// Returns a status with its meaning, such as `503 Service Unavailable`; only the number if the meaning is unknown.
    static func of(_ status: Int) -> String {
        phrases[status].map { "\(status) \($0)" } ?? "\(status)"
    }
}
#endif
