import Dispatch

/// A source of time, which tests can replace.
public protocol TimeSource: Sendable {
    /// Time passed since some fixed moment; never goes back. For deadlines and durations.
    func now() -> Duration
    /// Seconds since 1970 by the calendar; can jump. For dates that outlive the process.
    func wallTime() -> Double
    /// Calls `body` once after `delay`, on any thread, never from within this call. By then `now()` has gone on by
    /// about `delay`, or by more, as when the machine has slept.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's clocks.
public struct SystemTime: TimeSource {
    private static let start = ContinuousClock.now
    /// Its thread comes from outside the pool that tasks share: callbacks come also while everything there is blocked.
    /// Of a quality of service that no other queue of the library has: Dispatch has threads for each, and those of the
    /// others may all be blocked by listeners and callbacks.
    private static let alarms = DispatchQueue(label: "ct-alarm", qos: .userInitiated)

    /// The system's clocks.
    public init() {}

    public func now() -> Duration { Self.start.duration(to: .now) }

    public func wallTime() -> Double { Date().timeIntervalSince1970 }

    /// Calls `body` once after `delay`, on a queue of the library's own: one after another, so it must return soon.
    public func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        Self.alarms.asyncAfter(deadline: .now() + delay.seconds, execute: body)
    }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double {
        // Divided: 1e-18 has no exact form, and 300 ms would come out a little more.
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in milliseconds.
    public var milliseconds: Double { seconds * 1000 }
}
