/// A table of work in progress, keyed by the identity of its result. Waiters for the same result share the work.
///
/// Work is cancelled when its last waiter leaves; a later request begins it anew. Thread-safe.
final class WorkTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let works = Lock<[Key: SharedWork<Value>]>([:])

    /// The number of results that are being worked on.
    var count: Int { works.withLock { $0.count } }

    /// Returns whether work with a key is in progress.
    func contain(_ key: Key) -> Bool { works.withLock { $0[key] != nil } }

    /// Returns the number of waiters for work with a key.
    func waiterCount(for key: Key) -> Int { works.withLock { $0[key] }?.waiterCount ?? 0 }

    /// Returns the value for a key from the work in progress, or starts the work if there is none.
    ///
    /// Throws `CancellationError` as soon as the surrounding task is cancelled. While the work still runs on the
    /// current thread, a cancellation has no effect yet.
    /// - Parameters:
    ///   - startsHere: Whether the work may begin on the current thread. Pass false for work that calls slow code, or
    ///     that can nest without bound.
    ///   - onReport: Receives the reports; nil to send them to the waiter.
    ///   - onJoin: Called at once if the work is already in progress.
    ///   - body: The work, which runs in its own task. Its argument is the waiter to use when it waits for other work.
    func value(
        for key: Key, waiter: any Waiter, startsHere: Bool = true,
        onReport: ReportReceiver? = nil,
        onJoin: () -> Void = {}, body: @escaping @Sendable (any Waiter) async throws -> Value
    ) async throws -> Value {
        // A cancelled waiter starts no work: it would leave at once, but the work could already have begun.
        try Task.checkCancellation()
        let outcome = OneShot<Value>()
        let subscription = Subscription(waiter: waiter, onReport: onReport, demand: waiter.demand.value)
        let (work, ticket, report) = join(key, subscription, outcome)
        if let report {
            onJoin()
            subscription.tell(report)
        } else {
            let isOnPool = ActorIsolation.isNone(#isolation)
            start(work, key, here: isOnPool && startsHere, body: body)
            // The work did not have to wait, so its waiter needs no observation.
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

    /// Adds a waiter, and returns the reports so far. If the report is nil, the caller must start the new work.
    private func join(
        _ key: Key, _ subscription: Subscription, _ outcome: OneShot<Value>
    ) -> (work: SharedWork<Value>, ticket: Int, report: WorkReport?) {
        works.withLock { works in
            if let known = works[key], let (ticket, report) = known.join(subscription, outcome) {
                return (known, ticket, report)
            }
            let work = SharedWork(for: subscription, outcome)
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
            let outcomes = work.end()
            // Before any waiter is resumed, so that it finds nothing in progress.
            forget(work, key)
            for outcome in outcomes.values { outcome.resolve(result) }
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
