/// A step between two threads. The thread that takes the step ends it, and a step that is not taken is stopped.
final class SuspendedSpan: Sendable {
    private struct State {
        var span: StepSpan?
        var isOver = false
    }

    private let state = Lock(State())

    /// Leaves a step for the next thread. Stops the step if no waiter is left.
    func put(_ span: StepSpan) {
        let isOver = state.withLock { state in
            if !state.isOver { state.span = span }
            return state.isOver
        }
        if isOver { span.fail(CancellationError()) }
    }

    /// Takes the step and continues it here. Returns nil if none was left. Throws `CancellationError` if the step was
    /// stopped.
    func take() throws -> StepSpan? {
        let span = try state.withLock { state -> StepSpan? in
            guard !state.isOver else { throw CancellationError() }
            defer { state.span = nil }
            return state.span
        }
        return span?.restarted()
    }

    /// Stops the step unless it has been taken. Taking it later throws.
    func stop() {
        let span = state.withLock { state -> StepSpan? in
            state.isOver = true
            defer { state.span = nil }
            return state.span
        }
        span?.fail(CancellationError())
    }
}
