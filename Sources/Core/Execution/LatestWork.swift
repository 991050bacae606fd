/// Does one piece of work at a time; of those that come meanwhile only the latest is kept. Thread-safe.
final class LatestWork: Sendable {
    private struct State {
        var pending: (@Sendable () async -> Void)?
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Lock(State())

    /// Takes a piece of work, to be done now or when the one before it is done.
    func take(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.pending = work
            if state.task == nil { state.task = Task.detached { await self.run() } }
        }
    }

    /// Takes nothing more, and cancels what is under way.
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
