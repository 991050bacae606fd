#if HTTP
/// An answer of a server that a request does not accept, which is the cause of errors such as `badStatus`.
public struct HTTPFailure: Error, Hashable {
    /// The answer's status.
    public let statusCode: Int
    /// The media type of the answer's body, in lower case and without parameters; nil when it names none.
    public let mimeType: String?
    /// The host that answered, with the port if it is not the scheme's own.
    public let host: String
    /// The time after which the server wants to be asked again; nil if it does not say, and for statuses other than
    /// 429, 503 and 3xx.
    public let retryAfter: Duration?
}

extension HTTPFailure: CustomStringConvertible {
    public var description: String { "status \(statusCode)" + (mimeType.map { ", \($0)" } ?? "") }
}
#endif
