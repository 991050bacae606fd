/// A step on its way from one thread to another: whoever takes it ends it, and where nobody does it is stopped.
final class StepHandover: Sendable {
    private struct State {
        var span: StepSpan?
        var isOver = false
    }

    private let state = Lock(State())

    /// Leaves a step for the next thread.
    func put(_ span: StepSpan) { state.withLock { $0.span = span } }

    /// The step, going on here; nil where none was left. Throws `CancellationError` where it was stopped.
    func take() throws -> StepSpan? {
        let span = try state.withLock { state -> StepSpan? in
            guard !state.isOver else { throw CancellationError() }
            defer { state.span = nil }
            return state.span
        }
        return span?.restarted()
    }

    /// Stops the step unless somebody has taken it, and whoever comes to take it: nobody waits for it any more.
    func stop() {
        let span = state.withLock { state -> StepSpan? in
            state.isOver = true
            defer { state.span = nil }
            return state.span
        }
        span?.stop(CancellationError())
    }
}
