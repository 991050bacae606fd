/// Does what is to be done at some time, unless it is taken back before.
///
/// A time source cannot take back what it was asked for: an alarm for each of the many that are over long before their
/// time would stay until then. Here they share one, for the earliest, or on the way to it. Another is asked for only
/// when it has rung or should have, when something earlier comes, or where so much time passed while it was asked for
/// that it would ring too late.
///
/// Clocks go on while a machine sleeps, and alarms do not: one that was asked for before rings as much later as it
/// slept. So none is asked for further ahead than ten seconds, and after a sleep nothing is done later than ten seconds
/// of being awake after it was due. The price is an alarm every ten seconds for as long as anything waits, be it one or
/// ten thousand; where nothing waits, none follows.
final class Deadlines: Sendable {
    /// Something that is to be done.
    struct Deadline: Sendable {
        fileprivate let deadlines: Deadlines
        /// The place in the queue; nil if the work was done at once.
        fileprivate let ticket: Int?

        /// Takes it back; does nothing where it was done, or is being done.
        func cancel() {
            guard let ticket else { return }
            // What it holds goes when the lock is free again.
            _ = deadlines.state.withLock { $0.queue.remove(ticket) }
        }
    }

    /// A call that a time source was asked for.
    private struct Alarm {
        /// The time of the call: the deadline, an earlier time if the deadline is far away, or a past time if it is
        /// overdue.
        let time: Duration
        /// After what time it is to ring; zero for what is overdue.
        let delay: Duration
        /// The time of the clock when the alarm was set.
        let start: Duration

        var isOverdue: Bool { delay == .zero }
    }

    private struct State {
        var queue = DeadlineQueue<@Sendable () -> Void>()
        /// The times of the alarms that are relied on, the earliest last.
        var times: [Duration] = []
        /// Whether there is one for what is overdue, which rings as soon as it can.
        var ringsSoon = false

        /// The alarm that is to be asked for, and counts as asked for from then on; nil for none.
        /// - Parameters:
        ///   - now: What time it is taken to be.
        ///   - clock: What the clock says.
        mutating func nextAlarm(at now: Duration, clock: Duration) -> Alarm? {
            // What should have rung may do so later: the machine has slept.
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

        /// Forgets an alarm that rings so much later than it should that it is too late for the earliest; false where
        /// it is not.
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

    /// No alarm is further ahead: after a sleep it can ring so much later than it should.
    static let reach = Duration.seconds(10)

    /// The delay of an alarm that does not cause another one to be set.
    private static let tolerance = Duration.milliseconds(10)

    private let time: any TimeSource
    private let state = Lock(State())

    init(time: any TimeSource) { self.time = time }

    /// The number of deadlines.
    var count: Int { state.withLock { $0.queue.count } }

    /// The number of alarms that are relied on.
    var alarmCount: Int { state.withLock { $0.times.count + ($0.ringsSoon ? 1 : 0) } }

    /// Calls `body` after `delay`, once, never under a lock: on the thread that the time source calls on, or on this
    /// one, before it returns, if there is no delay. Nothing else is done on this one, even if it is overdue: the
    /// caller may hold a lock that the others want.
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

    /// Sees to it that an alarm rings for the earliest.
    /// - Parameters:
    ///   - now: What time it is taken to be.
    ///   - clock: What the clock says.
    private func askForAlarm(at now: Duration, clock: Duration) {
        guard let alarm = state.withLock({ $0.nextAlarm(at: now, clock: clock) }) else { return }
        ask(for: alarm)
        // The alarm is late by the time that passes meanwhile. Another one is set once: if as much time passes again,
        // it is as late as the first, and the caller waits here.
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
        // What rings is believed: of two clocks one may be a little behind.
        let last = max(alarm.time, clock)
        let due = state.withLock { state -> [@Sendable () -> Void] in
            state.forget(alarm)
            var due: [@Sendable () -> Void] = []
            while let body = state.queue.next(by: last) { due.append(body) }
            return due
        }
        // The next one goes by the clock: what alarms ring early must not add up on the way to what is far away. But a
        // clock that stands still while they ring would never come there.
        let isStandingStill = clock - alarm.start < alarm.delay / 2
        askForAlarm(at: isStandingStill ? last : clock, clock: clock)
        for body in due { body() }
    }
}
