/// What a transfer over a network was like. Times count from when the loader was asked, redirects included.
public struct TransferMetrics: Sendable, Hashable {
    /// How long it waited for its turn among the loader's transfers.
    public var queued: Duration
    /// When the name of the host was known; zero where none had to be found.
    public var nameLookedUp: Duration
    /// When the connection stood; zero on one that was used before.
    public var connected: Duration
    /// When the connection was safe; zero without TLS, and on a connection that was used before.
    public var secured: Duration
    /// When the first byte of the answer came; zero when none did.
    public var firstByte: Duration
    /// When it was over.
    public var total: Duration
    /// Bytes of the body received, as sent over the network.
    public var receivedByteCount: Int
    /// How often it was sent on to another URL.
    public var redirectCount: Int
    /// Whether the connection was used before.
    public var isConnectionReused: Bool
    /// The protocol's name as ALPN has it, such as `http/1.1` and `h2` (RFC 7301); nil when there was no answer.
    public var protocolName: String?
    /// The address of the other side; nil when there was no connection.
    public var remoteAddress: String?

    /// Metrics of which nothing is known yet.
    public init() {
        (queued, nameLookedUp, connected, secured, firstByte, total) = (.zero, .zero, .zero, .zero, .zero, .zero)
        receivedByteCount = 0
        redirectCount = 0
        isConnectionReused = false
    }
}
