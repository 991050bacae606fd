public import Calotype

/// A request that a ``ScriptedServer`` was sent, and how far its answer has come.
public struct ScriptedRequest: Sendable {
    /// The ways in which an answer can end.
    public enum Outcome: Equatable, Sendable {
        /// All steps were played.
        case played
        /// The client left, or the server was stopped, before the last step. ``ScriptedResponse/silence`` always ends
        /// so.
        case abandoned
    }

    /// The method, as sent: `GET`.
    public let method: String
    /// The target of the request, as sent: a path with its query.
    public let target: String
    /// The target without a query, and without scheme and host where it has them.
    public let path: String
    /// The version, as sent: `HTTP/1.1` or `HTTP/1.0`.
    public let version: String
    /// The fields of its head.
    public let headers: ScriptedHeaders
    /// Its body.
    public let body: Data
    /// The number of the connection that it came over; 1 for the server's first.
    public let connection: Int
    /// The number of requests of the same path so far, including this one: 1 for the first.
    public internal(set) var attempt = 1
    /// The number of bytes of the answer, including its head, that the system has taken so far. What it takes may be
    /// far ahead of what the client has read: by as much as the buffers of both sides hold.
    public internal(set) var bytesSent = 0
    /// The way in which the answer ended; nil before it did.
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

    /// Whether the client wants the connection closed behind the answer: RFC 9112, 9.3.
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
