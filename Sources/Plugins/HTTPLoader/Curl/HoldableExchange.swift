#if HTTP
/// A transfer in progress that ``HeldBodies`` can temporarily stop from receiving.
protocol HoldableExchange: AnyObject {
    /// The origin that the transfer is connected to.
    var origin: HTTPOrigin { get }
    /// Whether the transfer has ended.
    var isOver: Bool { get }
    /// Whether the transfer is paused until its reader has taken bytes.
    var isPaused: Bool { get }
    /// Whether ``HeldBodies`` has stopped this transfer from receiving.
    var isHeldBack: Bool { get set }
    /// The number of bytes of the body that libcurl has received but not yet passed on.
    var heldByteCount: Int { get }

    /// Stops receiving. Returns false if the transfer has no connection yet.
    func stopReceiving() -> Bool
}

extension CurlExchange: HoldableExchange {
    var origin: HTTPOrigin { address.origin }
}
#endif
