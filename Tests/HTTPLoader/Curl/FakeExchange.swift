#if HTTP
@testable import CalotypeHTTP

/// A transfer whose state the test sets. Not thread-safe.
final class FakeExchange: HoldableExchange {
    let origin: HTTPOrigin
    var isOver = false
    var isPaused: Bool
    var isHeldBack = false
    var heldByteCount: Int
    /// Whether it has a connection. Without one it cannot be paused.
    var isConnected = true
    /// The number of times that it was paused by the loader.
    private(set) var stopCount = 0

    /// Creates a transfer, which is paused if `heldByteCount` is not nil.
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
