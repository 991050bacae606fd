/// Work of one kind under way, by what it makes: wanted twice at once it is done once.
///
/// Its demand is that of its waiters, and follows when it changes. It is cancelled when the last waiter leaves; a later
/// request begins it anew. Thread-safe.
final class WorkTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let works = Lock<[Key: SharedWork<Value>]>([:])

    /// The number of works in progress.
    var count: Int { works.withLock { $0.count } }

    /// Whether a work is under way.
    func contain(_ key: Key) -> Bool { works.withLock { $0[key] != nil } }

    /// Returns the number of waiters for a work.
    func waiterCount(for key: Key) -> Int { works.withLock { $0[key] }?.waiterCount ?? 0 }

    /// Returns the value that `body` makes, or that the same work in progress makes.
    ///
    /// Leaves with `cancelled` as soon as the surrounding task is cancelled, whatever the work is doing, unless it is
    /// still doing it on this thread.
    /// - Parameters:
    ///   - key: What is made.
    ///   - waiter: The waiter.
    ///   - startsHere: Whether the work begins on this thread, where that is one of the pool that all tasks share. Not
    ///     for what calls code that takes its time, and not for what may be nested without end.
    ///   - onReport: Told what is reported meanwhile; nil tells the waiter.
    ///   - onJoin: Called at once where the work is under way already.
    ///   - body: The work; given the waiter with which it waits for other work. Runs in a task of its own.
    func value(
        for key: Key, waiter: any Waiter, startsHere: Bool = true,
        onReport: (@Sendable (WorkReport) -> Void)? = nil,
        onJoin: () -> Void = {}, body: @escaping @Sendable (any Waiter) async throws -> Value
    ) async throws -> Value {
        let outcome = OneShot<Value>()
        let subscription = SharedWork<Value>.Subscription(
            waiter: waiter, onReport: onReport, outcome: outcome, demand: waiter.demand.value)
        let (work, ticket, report) = join(key, subscription)
        if let report {
            onJoin()
            subscription.tell(report)
        } else {
            let isOnPool = ActorIsolation.isNone(#isolation)
            start(work, key, here: isOnPool && startsHere && !Task.isCancelled, body: body)
            // Where it had to wait for nothing there is nothing to be followed.
            if let result = outcome.take() { return try result.get() }
        }
        let observation = waiter.demand.observe { work.setDemand($0, of: ticket) }
        defer { waiter.demand.endObserving(observation) }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            work.leave(ticket) { forget(work, key) }
        }
    }

    /// Returns the work in progress with one more waiter, and its last report; or a new work, which has to be started.
    private func join(
        _ key: Key, _ subscription: SharedWork<Value>.Subscription
    ) -> (work: SharedWork<Value>, ticket: Int, report: WorkReport?) {
        works.withLock { works in
            if let known = works[key], let (ticket, report) = known.join(subscription) {
                return (known, ticket, report)
            }
            let work = SharedWork(for: subscription)
            works[key] = work
            return (work, SharedWork<Value>.firstTicket, nil)
        }
    }

    private func start(
        _ work: SharedWork<Value>, _ key: Key, here: Bool,
        body: @escaping @Sendable (any Waiter) async throws -> Value
    ) {
        let perform = { @Sendable [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(work))
            } catch {
                result = .failure(error)
            }
            let subscriptions = work.end()
            // Before any waiter is told: it then finds nothing in progress.
            forget(work, key)
            for subscription in subscriptions.values { subscription.outcome.resolve(result) }
        }
        // Detached: shared work inherits neither the values nor the priority of the first waiter.
        work.attach(here ? Task.detachedStartingHere(perform) : Task.detached(operation: perform))
    }

    private func forget(_ work: SharedWork<Value>, _ key: Key) {
        works.withLock { works in
            guard let index = works.index(forKey: key), works.values[index] === work else { return }
            works.remove(at: index)
        }
    }
}
