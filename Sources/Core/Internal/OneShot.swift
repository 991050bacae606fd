/// A result that arrives once and is awaited once; whichever comes first waits for the other.
///
/// Of several outcomes the first counts and the rest are dropped, which is what makes "exactly one ending, whatever
/// races" hold everywhere that somebody waits.
final class OneShot<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var isResolved = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    /// Ends the wait with `result`; false when it had been ended before.
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

    /// The result. May be called once; does not itself end when the surrounding task is cancelled.
    func value() async throws -> Value {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state in
                guard !state.isResolved else { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        // Fetched under the lock and not handed over with the wake-up: tools that look for races see the lock, and not
        // what the runtime does instead.
        guard let result = take() else { preconditionFailure("a result awaited twice") }
        return try result.get()
    }

    /// The result, if it has arrived and nobody has it yet; it is not to be awaited then.
    func take() -> Result<Value, any Error>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }
}
