/// The memory of work that waits between two stages, by how urgent it is.
///
/// Beyond a limit the gates of the earlier stage admit no work, so that a slow stage slows down those before it rather
/// than fill the memory. The backlog always shrinks: work that has a share of it never waits at those gates. Work that
/// is more urgent than nearly all of it need not wait: a little of each priority is admitted in spite of what is less
/// urgent. Thread-safe.
final class Backlog: Sendable {
    /// Memory that waits, for as long as this is held.
    final class Reservation: Sendable {
        private let backlog: Backlog
        private let byteCount: Int
        private let priority: Priority

        fileprivate init(_ byteCount: Int, _ priority: Priority, of backlog: Backlog) {
            self.byteCount = byteCount
            self.priority = priority
            self.backlog = backlog
        }

        deinit { backlog.remove(byteCount, priority) }
    }

    private struct State {
        var byteCounts: [Priority: Int] = [:]
        var observers: [@Sendable () -> Void] = []

        /// Returns the number of waiting bytes whose priority is at least as high.
        func byteCount(from priority: Priority) -> Int {
            byteCounts.reduce(0) { $1.key >= priority ? $0 + $1.value : $0 }
        }
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: The bytes at which nothing new begins.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of waiting bytes.
    var byteCount: Int { state.withLock { $0.byteCount(from: .veryLow) } }

    /// Whether at least half as much waits as may.
    var isHalfFull: Bool { byteCount >= limit / 2 }

    /// Whether too much waits for something as urgent as that to begin: as much as the limit in all, an eighth of it no
    /// less urgent.
    func isFull(for priority: Priority) -> Bool {
        state.withLock { state in
            state.byteCount(from: .veryLow) >= limit && state.byteCount(from: priority) >= limit / 8
        }
    }

    /// Counts memory, for as long as the share is held. What is more than the limit counts as much as that.
    /// - Parameter priority: How urgent it is; without a word nothing overtakes it.
    func reserve(_ byteCounts: Int..., for priority: Priority = .veryHigh) -> Reservation {
        let byteCount = byteCounts.reduce(0) { $0 + min($1, limit) }
        state.withLock { $0.byteCounts[priority, default: 0] += byteCount }
        return Reservation(byteCount, priority, of: self)
    }

    /// Calls `observer` whenever it has become less, from now on.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    private func remove(_ byteCount: Int, _ priority: Priority) {
        let observers = state.withLock { state in
            state.byteCounts[priority, default: 0] -= byteCount
            return state.observers
        }
        for observer in observers { observer() }
    }
}
