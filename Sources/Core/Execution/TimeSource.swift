import Dispatch

/// A source of time, which tests can replace.
public protocol TimeSource: Sendable {
    /// Returns the time since some fixed moment, for deadlines and durations. It never decreases.
    func now() -> Duration
    /// Returns the calendar time in seconds since 1970, for dates that outlive the process. It can jump.
    func wallTime() -> Double
    /// Calls `body` once after `delay`, on any thread, never from within this call. By then `now()` has advanced by
    /// about `delay` or more.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clocks.
public struct SystemTime: TimeSource {
    private static let start = ContinuousClock.now
    /// The queue on which ``after(_:_:)`` calls its closures, even while all threads of Swift tasks are blocked. No
    /// other queue of the library may have the same quality of service, because both queues would share their threads.
    /// A listener or callback on the other queue could then block the alarms.
    private static let alarms = DispatchQueue(label: "ct-alarm", qos: .userInitiated)

    /// Creates a time source.
    public init() {}

    public func now() -> Duration { Self.start.duration(to: .now) }

    public func wallTime() -> Double { Date().timeIntervalSince1970 }

    /// Calls `body` once after `delay`, on a queue of the library. Calls run one after another, so `body` must return
    /// soon.
    public func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        Self.alarms.asyncAfter(deadline: .now() + delay.seconds, execute: body)
    }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double {
        // Divides, because 1e-18 has no exact form: multiplying by it would make 300 ms a little longer.
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in milliseconds.
    public var milliseconds: Double { seconds * 1000 }
}
