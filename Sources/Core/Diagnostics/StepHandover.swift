/// A step on its way from one thread to another: whoever takes it ends it, and where nobody does it is stopped.
final class StepHandover: Sendable {
    private let span: Lock<StepSpan?>

    init(_ span: StepSpan? = nil) { self.span = Lock(span) }

    /// Leaves a step for the next thread.
    func put(_ span: StepSpan) { self.span.withLock { $0 = span } }

    /// The step, going on here; nil where none was left, or it was stopped.
    func take() -> StepSpan? { taken()?.restarted() }

    /// Stops the step unless somebody has taken it: nobody will, since whoever waited for it was cancelled.
    func stop() { taken()?.stop(CancellationError()) }

    private func taken() -> StepSpan? {
        span.withLock { span in
            defer { span = nil }
            return span
        }
    }
}
