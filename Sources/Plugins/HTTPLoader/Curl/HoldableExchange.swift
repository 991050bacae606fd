#if HTTP
/// A transfer under way, as ``HeldBodies`` sees it.
protocol HoldableExchange: AnyObject {
    /// The origin that its connection leads to.
    var origin: HTTPOrigin { get }
    /// Whether it has ended.
    var isOver: Bool { get }
    /// Whether it is paused until its reader has made room.
    var isPaused: Bool { get }
    /// Whether it receives nothing because too much of others is held.
    var isHeldBack: Bool { get set }
    /// The bytes of its body that have been received and not handed on.
    var heldByteCount: Int { get }

    /// Makes it receive nothing. Returns false where that is not possible yet.
    func stopReceiving() -> Bool
}

extension CurlExchange: HoldableExchange {
    var origin: HTTPOrigin { address.origin }
}
#endif
