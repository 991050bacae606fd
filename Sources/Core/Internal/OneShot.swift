/// A result that arrives once and is awaited once, in either order. Only the first of several results counts.
final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var isResolved = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    /// Ends the wait with `result`. Returns false if an earlier call has already ended it.
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

    /// Whether a result has arrived.
    var isResolved: Bool { state.withLock { $0.isResolved } }

    /// Waits for the result and returns it. May be called only once. Cancelling the surrounding task does not end the
    /// wait.
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

    /// Removes and returns the result; nil if it has not arrived or was taken before. Once the result was taken,
    /// ``value()`` must not be called.
    func take() -> Result<Value, any Error>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }
}
