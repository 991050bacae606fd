/// A piece of work that several waiters can share.
///
/// It has the highest priority of its waiters, and makes previews if at least one of them wants previews. It passes
/// reports on to its waiters. It is cancelled when the last waiter leaves.
final class SharedWork<Value: Sendable>: Waiter {
    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        /// The outcomes that the waiters await, by their tickets.
        var outcomes: [Int: OneShot<Value>] = [:]
        var nextTicket = 0
        var task: Task<Void, Never>?
        /// The combined reports so far, for late waiters.
        var report = WorkReport()
        /// Whether the work is done, or no waiter is left.
        var isOver = false
        /// The subscription of the waiter that left last; nil while others are left. It still receives a decoded
        /// original, which may have replaced cached entries by then and must be stored. It is kept when the work ends,
        /// because other work, for which this work waited, may report the original only later.
        var last: Subscription?

        /// Ends the work, and returns the former state. The new state retains no task and no reports, because a store
        /// in the background may retain the work long after its end.
        mutating func end(leaving last: Subscription? = nil) -> State {
            defer { self = State(isOver: true, last: last ?? self.last) }
            return self
        }

        /// The combined demand of all waiters.
        var demand: Demand.Value {
            subscriptions.values.reduce(into: Demand.Value(priority: .veryLow)) { demand, subscription in
                demand.priority = max(demand.priority, subscription.demand.priority)
                demand.wantsPreviews = demand.wantsPreviews || subscription.demand.wantsPreviews
            }
        }
    }

    /// The ticket of the first waiter. A ticket is a number that identifies a waiter of this work.
    static var firstTicket: Int { 0 }

    let requestID: UInt64?
    let demand: Demand
    private let work: Lock<State>

    /// Creates work with its first waiter. Events of the work always carry the number of that waiter's request.
    init(for first: Subscription, _ outcome: OneShot<Value>) {
        work = Lock(
            State(
                subscriptions: [Self.firstTicket: first], outcomes: [Self.firstTicket: outcome],
                nextTicket: Self.firstTicket + 1))
        requestID = first.waiter.requestID
        demand = Demand(first.demand)
    }

    /// The number of waiters.
    var waiterCount: Int { work.withLock { $0.subscriptions.count } }

    /// Adds a waiter. Returns its ticket and the combined reports so far; nil if the work is over.
    func join(_ subscription: Subscription, _ outcome: OneShot<Value>) -> (ticket: Int, report: WorkReport)? {
        work.withLock { work in
            guard !work.isOver else { return nil }
            defer { work.nextTicket += 1 }
            work.subscriptions[work.nextTicket] = subscription
            work.outcomes[work.nextTicket] = outcome
            return (work.nextTicket, work.report)
        }
    }

    /// Remembers the task that does the work, so that it can be cancelled. Cancels it at once if the work is over.
    func attach(_ task: Task<Void, Never>) {
        let isOver = work.withLock { work in
            if !work.isOver { work.task = task }
            return work.isOver
        }
        // Either the work is done, or the last waiter left before the task was known.
        if isOver { task.cancel() }
    }

    /// Ends the work, so that no waiter can join. Returns the outcomes that the waiters await.
    func end() -> [Int: OneShot<Value>] {
        // The former state is released outside the lock.
        work.withLock { $0.end() }.outcomes
    }

    /// Removes a waiter, whose wait then ends with `CancellationError`.
    /// - Parameter onEnd: Called if no waiter is left, before the removed waiter is resumed.
    func leave(_ ticket: Int, onEnd: () -> Void) {
        let (outcome, former) = work.withLock { work -> (OneShot<Value>?, State?) in
            let subscription = work.subscriptions.removeValue(forKey: ticket)
            let outcome = work.outcomes.removeValue(forKey: ticket)
            let isAbandoned = subscription != nil && work.subscriptions.isEmpty
            return (outcome, isAbandoned ? work.end(leaving: subscription) : nil)
        }
        former?.task?.cancel()
        if former != nil { onEnd() } else { followWaiters() }
        outcome?.resolve(.failure(CancellationError()))
    }

    /// Updates the demand of one waiter.
    func setDemand(_ demand: Demand.Value, of ticket: Int) {
        work.withLock { $0.subscriptions[ticket]?.demand = demand }
        followWaiters()
    }

    /// Sets the demand of the work to the combined demand of its waiters. Repeats this while other threads change it.
    private func followWaiters() {
        while true {
            let needed = work.withLock { $0.subscriptions.isEmpty ? nil : $0.demand }
            guard let needed, demand.value != needed else { return }
            demand.change { $0 = needed }
        }
    }

    func report(_ report: WorkReport) {
        let subscriptions = work.withLock { work -> [Subscription] in
            guard !work.isOver else {
                guard report.decoded != nil, let last = work.last else { return [] }
                return [last]
            }
            work.report = work.report.updated(by: report)
            guard report.decoded != nil, work.subscriptions.count > 1 else { return Array(work.subscriptions.values) }
            // In the order of arrival, because the first of these waiters decides how the original is stored.
            return work.subscriptions.keys.sorted().compactMap { work.subscriptions[$0] }
        }
        for subscription in subscriptions { subscription.tell(report) }
    }
}
