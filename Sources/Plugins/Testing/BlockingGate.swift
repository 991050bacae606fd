import Calotype
import Dispatch

/// A gate for code that does not await: holds the thread until it is opened.
public final class BlockingGate: Sendable {
    private let opened = DispatchGroup()
    private let isOpen = Lock(false)
    private let arrival = Gate(isOpen: true)

    /// A closed gate.
    public init() { opened.enter() }

    /// Holds the thread until the gate is open.
    public func pass() {
        Task { try? await arrival.pass() }
        opened.wait()
    }

    /// Waits until `count` threads have come to the gate in all.
    public func waitForArrivals(_ count: Int) async { await arrival.waitForArrivals(count) }

    /// Lets all through who are there, and all who come. Opening twice is no error.
    public func open() {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        if isFirst { opened.leave() }
    }
}
