import Calotype

/// A gate that holds tasks until it is opened.
///
/// A test passes the gate to a fake, waits until the expected number of tasks has arrived, and then opens it. In this
/// way the test controls which steps overlap, without waiting for time to pass.
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var arrived = 0
        var parked: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextTicket = 0
        var expecting: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        mutating func makeTicket() -> Int {
            defer { nextTicket += 1 }
            return nextTicket
        }
    }

    private let state: Lock<State>

    /// Creates a gate, which is closed by default.
    public init(isOpen: Bool = false) {
        state = Lock(State(isOpen: isOpen))
    }

    /// The number of arrivals so far, including tasks that have passed or were cancelled.
    public var arrivals: Int { state.withLock { $0.arrived } }

    /// Waits until the gate is open. Throws `CancellationError` if the task is cancelled before the gate opens.
    public func pass() async throws {
        let ticket = state.withLock { $0.makeTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOpen, reached) = state.withLock { state in
                    state.arrived += 1
                    let arrived = state.arrived
                    let reached = state.expecting.filter { $0.value.count <= arrived }
                    for ticket in reached.keys { state.expecting[ticket] = nil }
                    if !state.isOpen { state.parked[ticket] = continuation }
                    return (state.isOpen, reached)
                }
                for expected in reached.values { expected.continuation.resume() }
                if isOpen { continuation.resume() }
                if Task.isCancelled { giveUp(ticket) }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    private func giveUp(_ ticket: Int) {
        let parked = state.withLock { $0.parked.removeValue(forKey: ticket) }
        parked?.resume(throwing: CancellationError())
    }

    /// Waits until a total of `count` tasks have arrived at the gate, or the current task is cancelled.
    public func waitForArrivals(_ count: Int) async {
        let ticket = state.withLock { $0.makeTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.arrived < count, !Task.isCancelled else { return true }
                    state.expecting[ticket] = (count, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let expected = state.withLock { $0.expecting.removeValue(forKey: ticket) }
            expected?.continuation.resume()
        }
    }

    /// Opens the gate for all waiters and all later arrivals.
    public func open() {
        let parked = state.withLock { state in
            defer { state.parked = [:] }
            state.isOpen = true
            return Array(state.parked.values)
        }
        for continuation in parked { continuation.resume() }
    }

    /// Closes the gate for later arrivals.
    public func close() {
        state.withLock { $0.isOpen = false }
    }
}
