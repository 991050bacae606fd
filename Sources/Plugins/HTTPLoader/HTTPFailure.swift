#if HTTP
/// What a server answered that a request does not accept: the cause of errors such as `badStatus`.
public struct HTTPFailure: Error, Hashable {
    /// The answer's status.
    public let statusCode: Int
    /// The media type of the answer's body, in lower case and without parameters; nil when it names none.
    public let mimeType: String?
    /// Who answered: the host, and the port where it is not the scheme's own.
    public let host: String
    /// How long the server wants to be left in peace; nil when it does not say, and for statuses that do not tell
    /// somebody to come back: others than 429, 503 and 3xx.
    public let retryAfter: Duration?
}

extension HTTPFailure: CustomStringConvertible {
    public var description: String { "status \(statusCode)" + (mimeType.map { ", \($0)" } ?? "") }
}
#endif
