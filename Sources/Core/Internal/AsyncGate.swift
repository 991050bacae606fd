/// Lets a number of tasks through at once, the most urgent first, and only while there is room for what they make.
///
/// Whoever waits, be it for a place or for room, has neither. While room is scarce each change lets one through, so that
/// what he makes can be counted before it is the next one's turn; where half of it is free all go for whom there is a
/// place, so that none waits for another who takes his time.
final class AsyncGate: Sendable {
    private struct State {
        var free: Int
        var waiting = PriorityQueue<OneShot<Void>>()
    }

    private let state: Lock<State>
    private let backlog: Backlog?

    /// A gate for `width` tasks at once.
    /// - Parameter backlog: Where what they make is counted, before they leave; nil where there is always room.
    init(width: Int, into backlog: Backlog? = nil) {
        state = Lock(State(free: width))
        self.backlog = backlog
        backlog?.observe { [weak self] in self?.letIn() }
    }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How urgent the one is whose turn is next; nil when nobody waits.
    var highestWaitingPriority: Priority? { state.withLock { $0.waiting.highestPriority } }

    /// Runs `body` when its turn has come, as urgently as `interest` says. Throws `CancellationError` when the task is
    /// cancelled while it waits.
    func run<Result: Sendable>(
        for interest: Interest, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(for: interest)
        defer { leave() }
        return try await body()
    }

    /// Waits for a turn, after which `leave` is to be called. Throws as `run` does, after which it is not.
    func enter(for interest: Interest) async throws {
        let turn = OneShot<Void>()
        let ticket = state.withLock { state -> Int? in
            let priority = interest.priority
            guard state.waiting.count == 0, state.free > 0, hasRoom(for: priority) else {
                return state.waiting.add(turn, priority: priority)
            }
            state.free -= 1
            return nil
        }
        guard let ticket else { return }
        let observation = interest.observe { [self] priority in
            letIn { $0.waiting.setPriority(priority, of: ticket) }
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

    /// Gives a place back.
    func leave() { letIn { $0.free += 1 } }

    /// Lets through whose turn it is after `change`.
    private func letIn(after change: (inout State) -> Void = { _ in }) {
        guard letNextIn(after: change) else { return }
        while backlog?.isHalfFull != true, letNextIn() {}
    }

    /// Lets the next one through, if there is a place and room for him after `change`; false when there is not.
    private func letNextIn(after change: (inout State) -> Void = { _ in }) -> Bool {
        let turn = state.withLock { state -> OneShot<Void>? in
            change(&state)
            guard let priority = state.waiting.highestPriority, state.free > 0, hasRoom(for: priority) else {
                return nil
            }
            state.free -= 1
            return state.waiting.next()
        }
        turn?.resolve(.success(()))
        return turn != nil
    }

    private func hasRoom(for priority: Priority) -> Bool { backlog?.isFull(for: priority) != true }
}
