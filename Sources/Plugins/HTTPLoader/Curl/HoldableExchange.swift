#if HTTP
/// A transfer in progress, as ``HeldBodies`` sees it.
protocol HoldableExchange: AnyObject {
    /// The origin of the connection.
    var origin: HTTPOrigin { get }
    /// Whether the transfer has ended.
    var isOver: Bool { get }
    /// Whether the transfer is paused until its reader has made room.
    var isPaused: Bool { get }
    /// Whether the transfer receives nothing because libcurl holds too many bytes of other transfers.
    var isHeldBack: Bool { get set }
    /// The number of body bytes that libcurl has received and not yet delivered.
    var heldByteCount: Int { get }

    /// Stops receiving. Returns false if that is not possible yet.
    func stopReceiving() -> Bool
}

extension CurlExchange: HoldableExchange {
    var origin: HTTPOrigin { address.origin }
}
#endif
