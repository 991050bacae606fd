/// A set of deadlines: functions that are called at certain times, unless they are cancelled before.
///
/// All deadlines share one alarm of the time source, because alarms cannot be cancelled: with an alarm for each
/// deadline, those of cancelled deadlines would accumulate.
///
/// No alarm is set for more than ten seconds ahead, because alarms stand still while a machine sleeps, and clocks do
/// not. An overdue function is therefore called within ten seconds after the machine wakes.
final class Deadlines: Sendable {
    /// A handle that can cancel one deadline.
    struct Deadline: Sendable {
        fileprivate let deadlines: Deadlines
        /// The ticket in the queue; nil if the function was called at once.
        fileprivate let ticket: Int?

        /// Cancels the deadline. Does nothing if the function has been called, or is being called.
        func cancel() {
            guard let ticket else { return }
            // The function is released outside the lock.
            _ = deadlines.state.withLock { $0.queue.remove(ticket) }
        }
    }

    /// An alarm of the time source.
    private struct Alarm {
        /// The time at which the alarm should ring. It is in the past if the deadline is overdue.
        let time: Duration
        /// The time from setting the alarm until it rings; zero if the deadline is overdue.
        let delay: Duration
        /// The clock's time when the alarm was set.
        let start: Duration

        var isOverdue: Bool { delay == .zero }
    }

    private struct State {
        var queue = DeadlineQueue<@Sendable () -> Void>()
        /// The times of the pending alarms, the earliest last.
        var times: [Duration] = []
        /// Whether an alarm for an overdue deadline is pending, which rings as soon as possible.
        var ringsSoon = false

        /// Returns the alarm that must be set, and records it as pending. Returns nil if no alarm is needed.
        /// - Parameter now: The time from which the delay is calculated. Later than `clock` if an alarm has rung early.
        mutating func nextAlarm(at now: Duration, clock: Duration) -> Alarm? {
            // An alarm that should have rung may still ring later, if the machine has slept.
            while let time = times.last, time <= now { times.removeLast() }
            guard let earliest = queue.earliest else { return nil }
            guard earliest > now else {
                guard !ringsSoon else { return nil }
                ringsSoon = true
                return Alarm(time: earliest, delay: .zero, start: clock)
            }
            guard times.last.map({ earliest < $0 }) != false else { return nil }
            let delay = min(earliest - now, Deadlines.reach)
            times.append(now + delay)
            return Alarm(time: now + delay, delay: delay, start: clock)
        }

        /// Forgets an alarm if setting it took so long (`lag`) that it will ring too late for the earliest deadline.
        /// Returns whether the alarm was forgotten.
        mutating func forget(_ alarm: Alarm, lateBy lag: Duration) -> Bool {
            guard !alarm.isOverdue, lag > Deadlines.tolerance, let earliest = queue.earliest,
                alarm.time + lag > earliest + Deadlines.tolerance
            else { return false }
            forget(alarm)
            return true
        }

        /// Forgets an alarm that has rung, or will ring too late.
        mutating func forget(_ alarm: Alarm) {
            if alarm.isOverdue {
                ringsSoon = false
            } else if let index = times.lastIndex(of: alarm.time) {
                times.remove(at: index)
            }
        }
    }

    /// The maximum delay of an alarm, which is also its maximum lateness after the machine wakes from sleep.
    static let reach = Duration.seconds(10)

    /// The accepted lateness of an alarm. If an alarm will be later than this, another one is set.
    private static let tolerance = Duration.milliseconds(10)

    private let time: any TimeSource
    private let state = Lock(State())

    init(time: any TimeSource) { self.time = time }

    /// The number of deadlines.
    var count: Int { state.withLock { $0.queue.count } }

    /// The number of pending alarms.
    var alarmCount: Int { state.withLock { $0.times.count + ($0.ringsSoon ? 1 : 0) } }

    /// Calls `body` once after `delay`, on a thread of the time source. If there is no delay, `body` is called on the
    /// current thread before this method returns. `body` is never called under a lock of this object. Functions of
    /// other deadlines are never called on the current thread, because the caller may hold a lock that they need.
    func add(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Deadline {
        guard delay > .zero else {
            body()
            return Deadline(deadlines: self, ticket: nil)
        }
        let now = time.now()
        let ticket = state.withLock { $0.queue.add(body, at: now + delay) }
        askForAlarm(at: now, clock: now)
        return Deadline(deadlines: self, ticket: ticket)
    }

    /// Sets an alarm if necessary. The parameters are those of ``State/nextAlarm(at:clock:)``.
    private func askForAlarm(at now: Duration, clock: Duration) {
        guard let alarm = state.withLock({ $0.nextAlarm(at: now, clock: clock) }) else { return }
        ask(for: alarm)
        // The alarm is late by the time that setting it took. Only one more alarm is set: if setting that one takes as
        // long, it is just as late, and the caller waits meanwhile.
        let later = time.now()
        let next = state.withLock { state -> Alarm? in
            guard state.forget(alarm, lateBy: later - clock) else { return nil }
            return state.nextAlarm(at: later, clock: later)
        }
        if let next { ask(for: next) }
    }

    private func ask(for alarm: Alarm) {
        time.after(alarm.delay) { [weak self] in self?.ring(alarm) }
    }

    private func ring(_ alarm: Alarm) {
        let clock = time.now()
        // The alarm is trusted over the clock: of two clocks one may be a little behind.
        let last = max(alarm.time, clock)
        let due = state.withLock { state -> [@Sendable () -> Void] in
            state.forget(alarm)
            var due: [@Sendable () -> Void] = []
            while let body = state.queue.next(by: last) { due.append(body) }
            return due
        }
        // The next alarm is calculated from the clock, so that alarms that ring early do not add up on the way to a
        // distant deadline. But if the clock stands still while alarms ring, it would never get there.
        let isStandingStill = clock - alarm.start < alarm.delay / 2
        askForAlarm(at: isStandingStill ? last : clock, clock: clock)
        for body in due { body() }
    }
}
