/// Does what is to be done at some time, unless it is taken back before.
///
/// A time source cannot take back what it was asked for: an alarm for each of the many that are over long before their
/// time would stay until then. Here they share one, for the earliest. Another is asked for only when it has rung or
/// should have, or when something earlier comes.
///
/// Clocks go on while a machine sleeps, and alarms do not: one that was asked for before rings as much later as it
/// slept. So none is asked for further ahead than ten seconds, and after a sleep nothing is done later than ten seconds
/// of being awake after it was due. The price is an alarm every ten seconds for as long as anything waits, be it one or
/// ten thousand; where nothing waits, none follows.
final class Deadlines: Sendable {
    /// Something that is to be done.
    struct Deadline: Sendable {
        fileprivate let deadlines: Deadlines
        /// Where it waits; nil where it was done at once.
        fileprivate let ticket: Int?

        /// Takes it back; does nothing where it was done, or is being done.
        func cancel() {
            guard let ticket else { return }
            // What it holds goes when the lock is free again.
            _ = deadlines.state.withLock { $0.queue.remove(ticket) }
        }
    }

    /// What a time source is asked for.
    private struct Alarm {
        /// When it should ring: what it is for is due then, or later.
        let time: Duration
        /// Whether that was over when it was asked for.
        let isOverdue: Bool
    }

    private struct State {
        var queue = DeadlineQueue<@Sendable () -> Void>()
        /// When those alarms ring that are relied upon, the earliest last.
        var times: [Duration] = []
        /// Whether there is one for what is overdue, which rings as soon as it can.
        var ringsSoon = false

        /// The alarm that is to be asked for, and counts as asked for from then on; nil for none.
        mutating func nextAlarm(at now: Duration) -> Alarm? {
            // What should have rung may do so later: the machine has slept.
            while let time = times.last, time <= now { times.removeLast() }
            guard let earliest = queue.earliest else { return nil }
            guard earliest > now else {
                guard !ringsSoon else { return nil }
                ringsSoon = true
                return Alarm(time: earliest, isOverdue: true)
            }
            guard times.last.map({ earliest < $0 }) != false else { return nil }
            let alarm = Alarm(time: min(earliest, now + Deadlines.reach), isOverdue: false)
            times.append(alarm.time)
            return alarm
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

    /// So much later than it should an alarm may ring without another being asked for.
    private static let tolerance = Duration.milliseconds(10)

    private let time: any TimeSource
    private let state = Lock(State())

    init(time: any TimeSource) { self.time = time }

    /// How many are to be done.
    var count: Int { state.withLock { $0.queue.count } }

    /// How many alarms are relied upon.
    var alarmCount: Int { state.withLock { $0.times.count + ($0.ringsSoon ? 1 : 0) } }

    /// Calls `body` after `delay`, once, never under a lock: on the thread that the time source calls on; or on this
    /// one, before it returns, where there is no delay. Nothing else is done on this one, also where it is overdue:
    /// whoever adds something may hold a lock that the others want.
    func add(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Deadline {
        guard delay > .zero else {
            body()
            return Deadline(deadlines: self, ticket: nil)
        }
        let now = time.now()
        let ticket = state.withLock { $0.queue.add(body, at: now + delay) }
        askForAlarm(at: now)
        return Deadline(deadlines: self, ticket: ticket)
    }

    /// Sees to it that an alarm rings for the earliest.
    /// - Parameter start: What the clock says.
    private func askForAlarm(at start: Duration) {
        var now = start
        while let alarm = state.withLock({ $0.nextAlarm(at: now) }) {
            time.after(alarm.isOverdue ? .zero : alarm.time - now) { [weak self] in self?.ring(alarm) }
            // What passes meanwhile the alarm rings late.
            let later = time.now()
            guard !alarm.isOverdue, later - now > Self.tolerance else { return }
            state.withLock { $0.forget(alarm) }
            now = later
        }
    }

    private func ring(_ alarm: Alarm) {
        let now = time.now()
        // What rings is believed: of two clocks one may be a little behind.
        let last = max(alarm.time, now)
        let due = state.withLock { state -> [@Sendable () -> Void] in
            state.forget(alarm)
            var due: [@Sendable () -> Void] = []
            while let body = state.queue.next(by: last) { due.append(body) }
            return due
        }
        askForAlarm(at: now)
        for body in due { body() }
    }
}
