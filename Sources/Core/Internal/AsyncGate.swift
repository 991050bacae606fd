/// Lets a number of tasks through at once, the most urgent first.
final class AsyncGate: Sendable {
    private struct State {
        var free: Int
        var waiting = PriorityQueue<OneShot<Void>>()
    }

    private let state: Lock<State>

    /// A gate for `width` tasks at once.
    init(width: Int) {
        state = Lock(State(free: width))
    }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How urgent the one is whose turn is next; nil when nobody waits.
    var highestWaitingPriority: Priority? { state.withLock { $0.waiting.highestPriority } }

    /// Runs `body` when there is room, as urgently as `interest` says. Throws `CancellationError` when the task is
    /// cancelled while it waits.
    func run<Result: Sendable>(
        for interest: Interest, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(interest)
        defer { leave() }
        return try await body()
    }

    private func enter(_ interest: Interest) async throws {
        let turn = OneShot<Void>()
        let ticket = state.withLock { state -> Int? in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            return state.waiting.add(turn, priority: interest.priority)
        }
        guard let ticket else { return }
        let observation = interest.observe { [self] priority in
            state.withLock { $0.waiting.setPriority(priority, of: ticket) }
        }
        defer { interest.endObserving(observation) }
        try await withTaskCancellationHandler {
            try await turn.value()
        } onCancel: {
            // Once it has been let through it is no longer waiting, and gives its place back when it is done.
            let waiting = state.withLock { $0.waiting.remove(ticket) }
            waiting?.resolve(.failure(CancellationError()))
        }
    }

    private func leave() {
        let next = state.withLock { state -> OneShot<Void>? in
            if let next = state.waiting.next() { return next }
            state.free += 1
            return nil
        }
        next?.resolve(.success(()))
    }
}
