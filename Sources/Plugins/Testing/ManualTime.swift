public import Calotype

/// A clock that only moves when a test advances it.
public final class ManualTime: TimeSource {
    private struct Alarm {
        let time: Duration
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        var wallOffset: Double
        var alarms: [Alarm] = []
    }

    private let state: Lock<State>

    /// Creates a clock at zero.
    /// - Parameter wallTime: The calendar time in seconds since 1970. Default: the beginning of 2026 (UTC).
    public init(wallTime: Double = 1_767_225_600) {
        state = Lock(State(wallOffset: wallTime))
    }

    public func now() -> Duration { state.withLock { $0.now } }

    public func wallTime() -> Double { state.withLock { $0.wallOffset + $0.now.seconds } }

    public func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarms.append(Alarm(time: $0.now + delay, body: body)) }
    }

    /// Advances the clock and its calendar time, and calls the due callbacks on this thread, in the order of their
    /// times.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.alarms.filter { $0.time <= state.now }.sorted { $0.time < $1.time }
            state.alarms.removeAll { $0.time <= state.now }
            return due
        }
        for alarm in due { alarm.body() }
    }

    /// Moves only the calendar time, as a change of the system's clock does. If `seconds` is negative, the calendar
    /// time moves backward.
    public func moveWallTime(by seconds: Double) {
        state.withLock { $0.wallOffset += seconds }
    }
}
