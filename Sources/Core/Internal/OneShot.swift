/// A result that arrives once and is awaited once, in either order.
///
/// Only the first of several outcomes counts, and the others are dropped. So every wait in the library ends exactly
/// once, whatever races occur.
final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var isResolved = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    /// Ends the wait with `result`. Returns false if it had already been ended.
    @discardableResult
    func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isResolved else { return (false, nil) }
            state.isResolved = true
            state.result = result
            defer { state.waiting = nil }
            return (true, state.waiting)
        }
        waiting?.resume()
        return isFirst
    }

    /// Waits for the result and returns it. May be called once. It does not end by itself when the surrounding task is
    /// cancelled.
    func value() async throws -> Value {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state in
                guard !state.isResolved else { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        // The result is fetched under the lock and not passed with the continuation: race detectors understand the
        // lock, but not the synchronization of the runtime.
        guard let result = take() else { preconditionFailure("the result was awaited twice") }
        return try result.get()
    }

    /// Removes and returns the result if it has arrived and was not taken yet. It must not be awaited then.
    func take() -> Result<Value, any Error>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }
}
