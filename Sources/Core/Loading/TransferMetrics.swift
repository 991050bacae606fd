/// The metrics of a transfer over a network. ``queued`` is a duration; all other times are measured from the call of
/// the loader. After redirects, the times of the connection and of the first byte are those of the last request.
public struct TransferMetrics: Sendable, Hashable {
    /// The time for which the transfer waited in the queue of the loader, including waits after redirects.
    public var queued: Duration
    /// The time at which the name of the host was resolved; zero for a reused connection.
    public var nameLookedUp: Duration
    /// The time at which the connection was open; zero for a reused connection.
    public var connected: Duration
    /// The time at which the TLS handshake was complete; zero without TLS, and for a reused connection.
    public var secured: Duration
    /// The time at which the first byte of the response arrived; zero if no byte arrived.
    public var firstByte: Duration
    /// The time at which the transfer ended.
    public var total: Duration
    /// The number of bytes of the body that were received.
    public var receivedByteCount: Int
    /// The number of redirects that were followed.
    public var redirectCount: Int
    /// Whether the request was sent over a connection that was already open.
    public var isConnectionReused: Bool
    /// The ALPN name of the protocol, such as `http/1.1` or `h2` (RFC 7301); nil if there was no response.
    public var protocolName: String?
    /// The IP address of the server or proxy; nil if there was no connection.
    public var remoteAddress: String?

    /// Creates metrics in which all values are zero, false or nil.
    public init() {
        (queued, nameLookedUp, connected, secured, firstByte, total) = (.zero, .zero, .zero, .zero, .zero, .zero)
        receivedByteCount = 0
        redirectCount = 0
        isConnectionReused = false
    }
}
