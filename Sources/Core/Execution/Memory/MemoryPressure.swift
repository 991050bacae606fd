/// The degree of a shortage of memory.
enum MemoryPressure: Sendable, Hashable {
    /// Work is held up by it now and then.
    case moderate
    /// Next to nothing gets done, or the process is about to be killed.
    case critical
}

/// A source of notifications about shortages of memory.
protocol MemoryPressureSource: Sendable {
    /// Calls `body` at each sign of pressure, on any thread and never under a lock, until the observation goes. A call
    /// that has begun by then comes to its end.
    func observe(_ body: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation
}

/// Listening, for as long as this object lives.
final class MemoryPressureObservation: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: Called once, when there are no listeners any more.
    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
