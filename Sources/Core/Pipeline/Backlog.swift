/// The memory of work that waits between two stages, and those of the earlier stage who wait for it to become less.
///
/// Beyond a limit the earlier stage begins nothing new, so that a slow stage slows down those before it rather than
/// fill the memory. It always becomes less: nobody who has a share of it waits for the earlier stage. Thread-safe.
final class Backlog: Sendable {
    /// Memory that waits, for as long as this is held.
    final class Share: Sendable {
        private let backlog: Backlog
        private let byteCount: Int

        fileprivate init(_ byteCount: Int, of backlog: Backlog) {
            self.byteCount = byteCount
            self.backlog = backlog
        }

        deinit { backlog.remove(byteCount) }
    }

    private struct State {
        var byteCount = 0
        var waiting: [Int: OneShot<Void>] = [:]
        var nextTicket = 0
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: The bytes at which nothing new begins.
    init(limit: Int) {
        self.limit = limit
    }

    /// How much memory waits.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Counts memory, for as long as the share is held. What is more than the limit counts as much as that.
    func share(_ byteCounts: Int...) -> Share {
        let byteCount = byteCounts.reduce(0) { $0 + min($1, limit) }
        state.withLock { $0.byteCount += byteCount }
        return Share(byteCount, of: self)
    }

    /// Waits until there is less than the limit. Throws `CancellationError` when the task is cancelled meanwhile.
    func waitForRoom() async throws {
        let turn = OneShot<Void>()
        let ticket = state.withLock { state -> Int? in
            guard state.byteCount >= limit else { return nil }
            defer { state.nextTicket += 1 }
            state.waiting[state.nextTicket] = turn
            return state.nextTicket
        }
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await turn.value()
        } onCancel: {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: ticket) }
            waiting?.resolve(.failure(CancellationError()))
        }
    }

    private func remove(_ byteCount: Int) {
        let turns = state.withLock { state -> [OneShot<Void>] in
            state.byteCount -= byteCount
            guard state.byteCount < limit else { return [] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for turn in turns { turn.resolve(.success(())) }
    }
}
