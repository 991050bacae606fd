import Calotype

extension ScriptedResponse {
    /// Returns the head of a response, with the empty line. Fields in `headers` replace equally named `defaults`.
    static func head(
        _ status: Int, _ headers: ScriptedHeaders, defaults: [(name: String, value: String?)] = []
    ) -> Data {
        var text = "HTTP/1.1 \(status) \(reason(of: status))\r\n"
        for (name, value) in defaults {
            if let value, headers[name] == nil { text += "\(name): \(value)\r\n" }
        }
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        text += "\r\n"
        return Data(text.utf8)
    }

    /// Returns the reason phrase of a status, such as `Not Found` for 404. Returns `Unnamed` for an unknown status.
    private static func reason(of status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 103: "Early Hints"
        case 200: "OK"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Unnamed"
        }
    }
}
