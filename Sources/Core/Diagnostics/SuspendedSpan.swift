/// A step that moves from one thread to another. The thread that takes the step ends it. If no thread takes it,
/// ``stop()`` cancels it.
final class SuspendedSpan: Sendable {
    private struct State {
        var span: StepSpan?
        var isOver = false
    }

    private let state = Lock(State())

    /// Leaves a step for the next thread, or cancels it if ``stop()`` was called before.
    func put(_ span: StepSpan) {
        let isOver = state.withLock { state in
            if !state.isOver { state.span = span }
            return state.isOver
        }
        if isOver { span.fail(CancellationError()) }
    }

    /// Takes the step, to continue it on the current thread. Returns nil if there is none. Throws `CancellationError`
    /// if ``stop()`` was called.
    func take() throws -> StepSpan? {
        let span = try state.withLock { state -> StepSpan? in
            guard !state.isOver else { throw CancellationError() }
            defer { state.span = nil }
            return state.span
        }
        return span?.restarted()
    }

    /// Cancels the step that no thread has taken, if there is one. Any later ``take()`` throws.
    func stop() {
        let span = state.withLock { state -> StepSpan? in
            state.isOver = true
            defer { state.span = nil }
            return state.span
        }
        span?.fail(CancellationError())
    }
}
