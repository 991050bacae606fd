/// The bytes of work that waits between two stages, counted by priority. Thread-safe.
///
/// When the waiting bytes reach a limit, the gates of the earlier stage stop admitting work, so that a slow stage
/// applies back-pressure instead of filling the memory. As an exception, work is still admitted while the waiting bytes
/// of its own priority and of higher ones are less than an eighth of the limit. The backlog always shrinks again,
/// because work that has a share of it never waits at those gates.
final class Backlog: Sendable {
    /// A share of the backlog, which lasts as long as this object.
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

        /// Returns the number of waiting bytes whose priority is at least `priority`.
        func byteCount(from priority: Priority) -> Int {
            byteCounts.reduce(0) { $1.key >= priority ? $0 + $1.value : $0 }
        }
    }

    private let limit: Int
    private let state = Lock(State())

    /// Creates an empty backlog.
    /// - Parameter limit: The number of waiting bytes at which work must wait. More urgent work may still be admitted:
    ///   see ``isFull(for:)``.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of waiting bytes.
    var byteCount: Int { state.withLock { $0.byteCount(from: .veryLow) } }

    /// Whether the waiting bytes reach half of the limit.
    var isHalfFull: Bool { byteCount >= limit / 2 }

    /// Returns whether work of a priority must wait. It must wait if all waiting bytes together reach the limit, and
    /// those of at least this priority reach an eighth of the limit.
    func isFull(for priority: Priority) -> Bool {
        state.withLock { state in
            state.byteCount(from: .veryLow) >= limit && state.byteCount(from: priority) >= limit / 8
        }
    }

    /// Reserves a share of the backlog: the bytes count as waiting bytes until the reservation is released. Each amount
    /// above the limit counts as the limit.
    /// - Parameter priority: The priority of the work. The default is the highest: the bytes then count against work of
    ///   every priority.
    func reserve(_ byteCounts: Int..., for priority: Priority = .veryHigh) -> Reservation {
        let byteCount = byteCounts.reduce(0) { $0 + min($1, limit) }
        state.withLock { $0.byteCounts[priority, default: 0] += byteCount }
        return Reservation(byteCount, priority, of: self)
    }

    /// Calls `observer` whenever the backlog has shrunk, from now on.
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
