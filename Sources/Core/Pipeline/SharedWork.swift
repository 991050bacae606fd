/// A piece of work, and its waiters.
///
/// It waits for other work itself: as urgently as the most urgent of them, with previews where one of them wants them,
/// also when that changes. They hear what it hears. It is cancelled when the last of them leaves.
final class SharedWork<Value: Sendable>: Interest {
    /// A waiter.
    struct Waiter {
        let interest: any Interest
        /// Told what is reported meanwhile; nil tells the interest.
        let onReport: (@Sendable (WorkReport) -> Void)?
        let outcome: OneShot<Value>
        var demand: Demand.Value

        func tell(_ report: WorkReport) {
            if let onReport { onReport(report) } else { interest.report(report) }
        }
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var nextTicket = 0
        var task: Task<Void, Never>?
        /// The latest of all reports, for late waiters.
        var report = WorkReport()
        /// Whether it is done, or nobody wants it any more.
        var isOver = false

        /// The demand of all waiters together.
        var demand: Demand.Value {
            waiters.values.reduce(into: Demand.Value(priority: .veryLow)) { demand, waiter in
                demand.priority = max(demand.priority, waiter.demand.priority)
                demand.wantsPreviews = demand.wantsPreviews || waiter.demand.wantsPreviews
            }
        }
    }

    /// The ticket of the one for whom it is begun.
    static var firstTicket: Int { 0 }

    let requestID: UInt64?
    let demand: Demand
    private let work: Lock<State>

    /// Work that somebody wants. Until it ends, it belongs to the request of this one.
    init(for first: Waiter) {
        work = Lock(State(waiters: [Self.firstTicket: first], nextTicket: Self.firstTicket + 1))
        requestID = first.interest.requestID
        demand = Demand(first.demand)
    }

    /// The number of waiters.
    var waiterCount: Int { work.withLock { $0.waiters.count } }

    /// Adds a waiter.
    /// - Returns: The waiter's ticket, and the last report; nil if the work is over.
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
    /// - Returns: The waiters, to be told of the outcome.
    func end() -> [Int: Waiter] {
        work.withLock { work in
            defer { (work.isOver, work.task, work.waiters) = (true, nil, [:]) }
            return work.waiters
        }
    }

    /// Lets one go, with an error.
    /// - Parameter onEnd: Called before the waiter is told, if it was the last one, so that the work is over.
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

    /// Updates the demand of one waiter.
    func setDemand(_ demand: Demand.Value, of ticket: Int) {
        work.withLock { $0.waiters[ticket]?.demand = demand }
        followWaiters()
    }

    /// Takes over the demand of the waiters; looks again, since other threads do the same.
    private func followWaiters() {
        while true {
            let needed = work.withLock { $0.waiters.isEmpty ? nil : $0.demand }
            guard let needed, demand.value != needed else { return }
            demand.change { $0 = needed }
        }
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
