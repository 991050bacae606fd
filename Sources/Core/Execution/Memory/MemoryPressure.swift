/// The degree of a shortage of memory.
enum MemoryPressure: Sendable, Hashable {
    /// The shortage delays some work now and then.
    case moderate
    /// The shortage sometimes stalls all work, or the system may soon kill the process.
    case critical
}

/// A source of notifications about shortages of memory.
protocol MemoryPressureSource: Sendable {
    /// Calls `body` at each sign of pressure, on any thread and never under a lock, until the observation is released.
    /// If a sign is being reported at that moment, `body` may still be called afterward.
    func observe(_ body: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation
}

/// An observation of memory pressure, which ends when this object is released.
final class MemoryPressureObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation that calls `end` once, when it is released.
    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
