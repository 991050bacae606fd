public import Calotype

/// A request to a ``ScriptedServer`` and the state of its response.
public struct ScriptedRequest: Sendable {
    /// The way in which a response ended.
    public enum Outcome: Equatable, Sendable {
        /// All steps of the response were executed, or all steps up to one that closes or resets the connection.
        case played
        /// The client left or the server was stopped before the response was complete.
        case abandoned
    }

    /// The method as sent, for example `GET`.
    public let method: String
    /// The request target as sent, usually a path with its query.
    public let target: String
    /// The target without its query, and without scheme and host.
    public let path: String
    /// The version as sent: `HTTP/1.1` or `HTTP/1.0`.
    public let version: String
    /// The header fields.
    public let headers: ScriptedHeaders
    /// The body.
    public let body: Data
    /// The number of the connection, beginning with 1.
    public let connection: Int
    /// The number of requests for the same path so far, including this one. Queries are ignored.
    public internal(set) var attempt = 1
    /// The number of bytes of the response, including its head, that the system has accepted for sending so far. The
    /// client may have read fewer bytes: the difference is in the buffers of both sides.
    public internal(set) var bytesSent = 0
    /// The way in which the response ended; nil while it is in progress.
    public internal(set) var outcome: Outcome?

    init(
        method: String, target: String, version: String, headers: ScriptedHeaders, body: Data, connection: Int
    ) {
        self.method = method
        self.target = target
        self.path = Self.path(of: target)
        self.version = version
        self.headers = headers
        self.body = body
        self.connection = connection
    }

    /// Whether the client wants the connection to be closed after the response. Source: RFC 9112, section 9.3.
    var wantsClose: Bool {
        let wish = headers["Connection"]?.lowercased()
        return version == "HTTP/1.0" ? wish != "keep-alive" : wish == "close"
    }

    private static func path(of target: String) -> String {
        var rest = target[...]
        if rest.hasPrefix("http://") {
            rest = rest.dropFirst("http://".count)
            rest = rest.drop { $0 != "/" && $0 != "?" }
        }
        let path = rest.prefix { $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }
}
