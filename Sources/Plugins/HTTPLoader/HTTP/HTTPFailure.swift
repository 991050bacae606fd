#if HTTP
/// A response that the loader does not accept, used as the cause of errors such as `badStatus`.
public struct HTTPFailure: Error, Hashable {
    /// The status of the response.
    public let statusCode: Int
    /// The media type of the body, in lower case and without parameters; nil if the response states no valid type. Also
    /// nil if the response was refused for its transfer coding.
    public let mimeType: String?
    /// The host that responded. The port is appended unless it is the default port of the scheme.
    public let host: String
    /// The time after which the server permits another request; nil if the server does not state it. Always nil for
    /// statuses other than 429, 503 and 3xx.
    public let retryAfter: Duration?
}

extension HTTPFailure: CustomStringConvertible {
    public var description: String { "status \(statusCode)" + (mimeType.map { ", \($0)" } ?? "") }
}
#endif
