import Calotype
import Dispatch

/// A gate that blocks threads until it is opened, for synchronous code.
public final class BlockingGate: Sendable {
    private struct State {
        var isOpen = false
        var watchers: [Int: @Sendable () -> Void] = [:]
        var nextTicket = 0
    }

    private let opened = DispatchGroup()
    private let state = Lock(State())
    private let arrival = Gate(isOpen: true)

    /// Creates a closed gate.
    public init() { opened.enter() }

    // A dispatch group must not be deallocated while it is entered.
    deinit { open() }

    /// Blocks the thread until the gate is open.
    public func pass() {
        Task { try? await arrival.pass() }
        opened.wait()
    }

    /// Registers a closure to call when the gate opens, on the thread that opens it. Returns a ticket for
    /// ``leave(_:)``, or nil without calling `body` if the gate is already open.
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

    /// Removes the waiter with this ticket. The waiter still counts as an arrival.
    func leave(_ ticket: Int) {
        _ = state.withLock { $0.watchers.removeValue(forKey: ticket) }
    }

    /// Waits for a total of `count` arrivals at the gate, or until the current task is cancelled.
    public func waitForArrivals(_ count: Int) async { await arrival.waitForArrivals(count) }

    /// Opens the gate for all waiters and all later arrivals. Has no effect on an open gate.
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
