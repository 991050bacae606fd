/// A runner of one piece of work at a time. Of the pieces that arrive meanwhile, only the latest is kept. Thread-safe.
final class LatestWork: Sendable {
    private struct State {
        var pending: (@Sendable () async -> Void)?
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Lock(State())

    /// Adds a piece of work, which replaces a piece that has not begun. Does nothing after ``end()``.
    func take(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.pending = work
            if state.task == nil { state.task = Task.detached { await self.run() } }
        }
    }

    /// Accepts no more work, drops the waiting piece, and cancels the work in progress.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            state.pending = nil
            return state.task
        }
        task?.cancel()
    }

    private func run() async {
        while let work = next() { await work() }
    }

    private func next() -> (@Sendable () async -> Void)? {
        state.withLock { state in
            defer { state.pending = nil }
            if state.pending == nil { state.task = nil }
            return state.pending
        }
    }
}
