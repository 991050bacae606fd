/// Does what is to be done at some time, unless it is taken back before.
///
/// A time source cannot take back what it was asked for: an alarm for each of the many that are over long before their
/// time would stay until then. Here they share one, for the earliest. Another is asked for only when it has rung, or
/// when something earlier comes.
final class Deadlines: Sendable {
    /// Something that is to be done.
    struct Deadline: Sendable {
        fileprivate let deadlines: Deadlines
        fileprivate let ticket: Int

        /// Takes it back; does nothing where it was done, or is being done.
        func cancel() {
            // What it holds goes when the lock is free again.
            _ = deadlines.state.withLock { $0.queue.remove(ticket) }
        }
    }

    private struct State {
        var queue = DeadlineQueue<@Sendable () -> Void>()
        /// When those alarms ring that were asked for, the earliest last.
        var alarms: [Duration] = []

        /// When an alarm is to be asked for, which counts as asked for from then on; nil for none.
        mutating func nextAlarm() -> Duration? {
            guard let earliest = queue.earliest, alarms.last.map({ earliest < $0 }) != false else { return nil }
            alarms.append(earliest)
            return earliest
        }

        /// Forgets an alarm that has rung, or is not waited for.
        mutating func forget(_ alarm: Duration) {
            if let index = alarms.lastIndex(of: alarm) { alarms.remove(at: index) }
        }
    }

    private let time: any TimeSource
    private let state = Lock(State())

    init(time: any TimeSource) { self.time = time }

    /// How many are to be done.
    var count: Int { state.withLock { $0.queue.count } }

    /// How many alarms were asked for that have not rung.
    var alarmCount: Int { state.withLock { $0.alarms.count } }

    /// Calls `body` after `delay`, once, never under a lock: on the thread that the time source calls on, or on this
    /// one, before it returns, where there is nothing to be waited for.
    func add(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Deadline {
        let now = time.now()
        let ticket = state.withLock { $0.queue.add(body, at: now + delay) }
        proceed(at: now, due: now)
        return Deadline(deadlines: self, ticket: ticket)
    }

    /// Sees to it that an alarm rings for the earliest, and does what is due.
    /// - Parameters:
    ///   - start: What the clock says.
    ///   - last: Up to when things are due.
    private func proceed(at start: Duration, due last: Duration) {
        var now = start
        var limit = last
        var due: [@Sendable () -> Void] = []
        while true {
            let (bodies, alarm) = state.withLock { state -> ([@Sendable () -> Void], Duration?) in
                var bodies: [@Sendable () -> Void] = []
                while let body = state.queue.next(by: limit) { bodies.append(body) }
                return (bodies, state.nextAlarm())
            }
            due += bodies
            guard let alarm else { break }
            time.after(alarm - now) { [weak self] in self?.ring(alarm) }
            // Where so much time has passed meanwhile the alarm may ring late.
            now = time.now()
            guard now >= alarm else { break }
            limit = max(limit, now)
            state.withLock { $0.forget(alarm) }
        }
        for body in due { body() }
    }

    private func ring(_ alarm: Duration) {
        state.withLock { $0.forget(alarm) }
        let now = time.now()
        // What rings is believed: of two clocks one may be a little behind.
        proceed(at: now, due: max(alarm, now))
    }
}
