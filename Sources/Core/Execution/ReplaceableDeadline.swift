/// The deadline of a piece of work, which can be replaced until the work ends. Thread-safe.
final class ReplaceableDeadline: Sendable {
    private struct State {
        var deadline: Deadlines.Deadline?
        var isOver = false
    }

    private let begin: @Sendable (Duration) -> Deadlines.Deadline
    private let state = Lock(State())

    /// Creates a deadline that never passes until a timeout is set.
    /// - Parameter begin: A closure that returns a new deadline for a timeout.
    init(_ begin: @escaping @Sendable (Duration) -> Deadlines.Deadline) { self.begin = begin }

    /// Replaces the deadline with a new one, `timeout` from now. Nil removes the deadline. Has no effect after
    /// ``end()``.
    func set(_ timeout: Duration?) {
        replace(by: timeout.map(begin), isEnd: false)
    }

    /// Cancels the deadline at the end of the work. No further deadline can be set.
    func end() { replace(by: nil, isEnd: true) }

    private func replace(by deadline: Deadlines.Deadline?, isEnd: Bool) {
        let useless = state.withLock { state -> Deadlines.Deadline? in
            guard !state.isOver else { return deadline }
            defer { (state.deadline, state.isOver) = (deadline, isEnd) }
            return state.deadline
        }
        useless?.cancel()
    }
}
