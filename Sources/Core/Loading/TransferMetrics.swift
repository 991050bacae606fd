/// The metrics of a transfer over a network. Times count from the call of the loader, redirects included.
public struct TransferMetrics: Sendable, Hashable {
    /// The time that the transfer waited for its turn in the loader.
    public var queued: Duration
    /// The time at which the host's name was resolved; zero if that was not necessary.
    public var nameLookedUp: Duration
    /// The time at which the connection was open; zero on a reused connection.
    public var connected: Duration
    /// The time at which the TLS handshake was complete; zero without TLS, and on a reused connection.
    public var secured: Duration
    /// The time at which the first byte of the response arrived; zero if none did.
    public var firstByte: Duration
    /// The time at which the transfer ended.
    public var total: Duration
    /// The number of bytes of the body received, as sent over the network.
    public var receivedByteCount: Int
    /// The number of redirects.
    public var redirectCount: Int
    /// Whether the connection was used before.
    public var isConnectionReused: Bool
    /// The protocol's ALPN name, such as `http/1.1` and `h2` (RFC 7301); nil if there was no response.
    public var protocolName: String?
    /// The address of the remote side; nil if there was no connection.
    public var remoteAddress: String?

    /// Creates metrics without any values.
    public init() {
        (queued, nameLookedUp, connected, secured, firstByte, total) = (.zero, .zero, .zero, .zero, .zero, .zero)
        receivedByteCount = 0
        redirectCount = 0
        isConnectionReused = false
    }
}
