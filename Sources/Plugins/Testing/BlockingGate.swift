import Calotype
import Dispatch

/// A gate for code that does not await: holds the thread until it is opened.
public final class BlockingGate: Sendable {
    private struct State {
        var isOpen = false
        var watchers: [Int: @Sendable () -> Void] = [:]
        var nextTicket = 0
    }

    private let opened = DispatchGroup()
    private let state = Lock(State())
    private let arrival = Gate(isOpen: true)

    /// A closed gate.
    public init() { opened.enter() }

    // A group that somebody has entered and nobody left must not go.
    deinit { open() }

    /// Holds the thread until the gate is open.
    public func pass() {
        Task { try? await arrival.pass() }
        opened.wait()
    }

    /// Counts a waiter that waits for more than the gate, and so in its own way.
    /// - Parameter body: Called once when the gate opens, on the thread that opens it.
    /// - Returns: What ``leave(_:)`` takes; nil when the gate is open already, in which case `body` is not called.
    func arrive(_ body: @escaping @Sendable () -> Void) -> Int? {
        let ticket = state.withLock { state -> Int? in
            guard !state.isOpen else { return nil }
            defer { state.nextTicket += 1 }
            state.watchers[state.nextTicket] = body
            return state.nextTicket
        }
        Task { try? await arrival.pass() }
        return ticket
    }

    /// Removes the waiter with this ticket. It stays counted.
    func leave(_ ticket: Int) {
        _ = state.withLock { $0.watchers.removeValue(forKey: ticket) }
    }

    /// Waits until `count` threads have come to the gate in all.
    public func waitForArrivals(_ count: Int) async { await arrival.waitForArrivals(count) }

    /// Opens the gate for all waiters, and for all later arrivals. Opening twice is no error.
    public func open() {
        let watchers = state.withLock { state -> [@Sendable () -> Void]? in
            guard !state.isOpen else { return nil }
            defer { state.watchers = [:] }
            state.isOpen = true
            return Array(state.watchers.values)
        }
        guard let watchers else { return }
        opened.leave()
        for watcher in watchers { watcher() }
    }
}
