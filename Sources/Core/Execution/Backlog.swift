/// The bytes of work that waits between two stages, counted by priority. Thread-safe.
///
/// When the waiting bytes reach a limit, each ``AsyncGate`` of the earlier stage stops admitting work, so that a slow
/// stage does not let the memory fill up. Urgent work may still be admitted: see ``isFull(for:)``. Work whose bytes are
/// counted here must never wait at those gates, because the backlog might then never shrink.
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
    /// - Parameter limit: The number of waiting bytes at which work must wait: see ``isFull(for:)``.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of waiting bytes.
    var byteCount: Int { state.withLock { $0.byteCount(from: .veryLow) } }

    /// Whether the waiting bytes reach half of the limit.
    var isHalfFull: Bool { byteCount >= limit / 2 }

    /// Returns whether work of a priority must wait: all waiting bytes together reach the limit, and those of at least
    /// this priority reach an eighth of the limit.
    func isFull(for priority: Priority) -> Bool {
        state.withLock { state in
            state.byteCount(from: .veryLow) >= limit && state.byteCount(from: priority) >= limit / 8
        }
    }

    /// Counts bytes as waiting until the returned reservation is released. Amounts above the limit count as the limit.
    /// - Parameter priority: The priority of the work. By default, the bytes count against work of every priority.
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
