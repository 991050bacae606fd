#if HTTP
@testable import CalotypeHTTP

/// A transfer whose state a test sets. Used by one thread.
final class FakeExchange: HoldableExchange {
    let origin: HTTPOrigin
    var isOver = false
    var isPaused: Bool
    var isHeldBack = false
    var heldByteCount: Int
    /// Whether it has a connection, without which it cannot be told to receive nothing.
    var isConnected = true
    /// How often it was told to receive nothing.
    private(set) var stopCount = 0

    /// A transfer that is paused where `heldByteCount` is given, and else receives.
    init(host: String = "example.test", holding heldByteCount: Int? = nil) {
        origin = HTTPOrigin(isSecure: true, host: host, port: 443)
        isPaused = heldByteCount != nil
        self.heldByteCount = heldByteCount ?? 0
    }

    func stopReceiving() -> Bool {
        if isConnected { stopCount += 1 }
        return isConnected
    }
}
#endif
