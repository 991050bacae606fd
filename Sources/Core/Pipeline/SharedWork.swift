/// One piece of work, and those who wait for it.
///
/// It waits for other work itself: as urgently as the most urgent of them, also when that changes, and they hear what
/// it hears. It is cancelled when the last of them leaves.
final class SharedWork<Value: Sendable>: Interest {
    /// One who waits.
    struct Waiter {
        let interest: any Interest
        /// Told what is reported meanwhile; nil tells the interest.
        let onReport: (@Sendable (WorkReport) -> Void)?
        let outcome: OneShot<Value>
        var priority: Priority

        func tell(_ report: WorkReport) {
            if let onReport { onReport(report) } else { interest.report(report) }
        }
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var nextTicket = 0
        var task: Task<Void, Never>?
        /// The latest of all that was reported, for those who come late.
        var report = WorkReport()
        /// Whether it is done, or nobody wants it any more.
        var isOver = false

        var priority: Priority {
            // Not through a key path, which would be made anew at each call here, where types are generic.
            waiters.values.reduce(.veryLow) { max($0, $1.priority) }
        }
    }

    /// The ticket of the one for whom it is begun.
    static var firstTicket: Int { 0 }

    let requestID: UInt64?
    let urgency: Urgency
    private let work: Lock<State>

    /// Work that somebody wants. Until it ends, it belongs to the request of this one.
    init(for first: Waiter) {
        work = Lock(State(waiters: [Self.firstTicket: first], nextTicket: Self.firstTicket + 1))
        requestID = first.interest.requestID
        urgency = Urgency(first.priority)
    }

    /// How many wait for it.
    var waiterCount: Int { work.withLock { $0.waiters.count } }

    /// Adds one more who waits.
    /// - Returns: His ticket, and what was reported so far; nil where it is over.
    func join(_ waiter: Waiter) -> (ticket: Int, report: WorkReport)? {
        work.withLock { work in
            guard !work.isOver else { return nil }
            defer { work.nextTicket += 1 }
            work.waiters[work.nextTicket] = waiter
            return (work.nextTicket, work.report)
        }
    }

    /// Remembers the task that does it, so that it can be cancelled; cancels it now where it is over.
    func attach(_ task: Task<Void, Never>) {
        let isOver = work.withLock { work in
            if !work.isOver { work.task = task }
            return work.isOver
        }
        // Either it is done already, or the last one left before the task was known.
        if isOver { task.cancel() }
    }

    /// Ends it: nobody joins any more.
    /// - Returns: Those who wait, who are to be told of the outcome.
    func end() -> [Int: Waiter] {
        work.withLock { work in
            defer { (work.isOver, work.task, work.waiters) = (true, nil, [:]) }
            return work.waiters
        }
    }

    /// Lets one go, with an error.
    /// - Parameter onEnd: Called before he hears of it where he was the last, so that it is over.
    func leave(_ ticket: Int, onEnd: () -> Void) {
        let (waiter, isAbandoned, task) = work.withLock { work -> (Waiter?, Bool, Task<Void, Never>?) in
            guard let waiter = work.waiters.removeValue(forKey: ticket) else { return (nil, false, nil) }
            guard work.waiters.isEmpty else { return (waiter, false, nil) }
            defer { (work.isOver, work.task) = (true, nil) }
            return (waiter, true, work.task)
        }
        task?.cancel()
        if isAbandoned { onEnd() } else { followWaiters() }
        waiter?.outcome.resolve(.failure(CancellationError()))
    }

    /// Says how urgent it is to one of those who wait.
    func setPriority(_ priority: Priority, of ticket: Int) {
        work.withLock { $0.waiters[ticket]?.priority = priority }
        followWaiters()
    }

    /// Becomes as urgent as the most urgent of those who wait; looks again, since others do the same.
    private func followWaiters() {
        while true {
            let highest = work.withLock { $0.waiters.isEmpty ? nil : $0.priority }
            guard let highest, priority != highest else { return }
            priority = highest
        }
    }

    var wantsPreviews: Bool {
        let waiters = work.withLock { Array($0.waiters.values) }
        return waiters.contains { $0.interest.wantsPreviews }
    }

    func report(_ report: WorkReport) {
        let waiters = work.withLock { work -> [Waiter] in
            guard !work.isOver else { return [] }
            work.report = work.report.updated(by: report)
            return Array(work.waiters.values)
        }
        for waiter in waiters { waiter.tell(report) }
    }
}
