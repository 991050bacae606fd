@testable import Calotype

/// A value behind a lock, of which a test can wait that something holds: without looking again and again, which takes
/// the threads from those that it waits for.
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

    /// Reads or changes the value, and lets go of those who have waited for what it is then.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
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

    /// Waits until something holds of the value, or the task is cancelled. The condition is asked under the lock.
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
