@testable import Calotype

/// A value behind a lock, whose changes a test can await. It does not poll, which would take threads from the awaited
/// work.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextTicket = 0
    }

    private let state: Lock<State>

    init(_ value: Value) { state = Lock(State(value: value)) }

    /// Reads or changes the value, and resumes the waiters whose condition is fulfilled.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, reached) = state.withLock { state -> (Result, [Waiter]) in
            let result = body(&state.value)
            let value = state.value
            let reached = state.waiters.filter { $0.value.condition(value) }
            for ticket in reached.keys { state.waiters[ticket] = nil }
            return (result, Array(reached.values))
        }
        for waiter in reached { waiter.continuation.resume() }
        return result
    }

    /// Waits until a condition is fulfilled, or the task is cancelled. The condition is evaluated under the lock.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let ticket = state.withLock { state -> Int in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state -> Bool in
                    guard !condition(state.value), !Task.isCancelled else { return true }
                    state.waiters[ticket] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.continuation.resume()
        }
    }
}
