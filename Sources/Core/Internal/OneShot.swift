/// A result that arrives once and is awaited once; whichever comes first waits for the other.
///
/// Of several outcomes the first counts and the rest are dropped, which is what makes "exactly one ending, whatever
/// races" hold everywhere that somebody waits.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case done
    }

    private let state = Lock(State.empty)

    /// Ends the wait with `result`; false when it had been ended before.
    @discardableResult
    func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .empty:
                state = .resolved(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .done
                return (true, continuation)
            case .resolved, .done:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// The result. May be called once; does not itself end when the surrounding task is cancelled.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                guard case .resolved(let result) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .done
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
