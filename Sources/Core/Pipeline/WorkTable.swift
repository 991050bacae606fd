/// Work of one kind under way, by what it makes: wanted twice at once it is done once.
///
/// Its urgency is the highest of those who wait for it and follows when it changes. It is cancelled when the last who
/// waits leaves; who comes after that begins it anew. Thread-safe.
final class WorkTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// One who waits.
    private struct Waiter {
        let interest: Interest
        let onReport: @Sendable (WorkReport) -> Void
        let outcome: OneShot<Value>
        var priority: Priority
    }

    private struct Work {
        let id: Int
        /// How the work itself waits for other work.
        let interest: Interest
        var waiters: [Int: Waiter] = [:]
        var task: Task<Void, Never>?
        /// The latest of all that was reported, for those who come late.
        var report = WorkReport()

        var priority: Priority {
            // Not through a key path, which would be made anew at each call here, where types are generic.
            waiters.values.reduce(.veryLow) { max($0, $1.priority) }
        }
    }

    private struct State {
        var works: [Key: Work] = [:]
        var nextID = 0

        mutating func makeID() -> Int {
            defer { nextID += 1 }
            return nextID
        }
    }

    private let state = Lock(State())

    /// How many works are under way.
    var count: Int { state.withLock { $0.works.count } }

    /// How many wait for a work.
    func waiterCount(for key: Key) -> Int { state.withLock { $0.works[key]?.waiters.count ?? 0 } }

    /// What `body` makes, or what the same work already under way makes.
    ///
    /// Leaves with `cancelled` as soon as the surrounding task is cancelled, whatever the work is doing, unless it is
    /// still doing it on this thread.
    /// - Parameters:
    ///   - key: What is made.
    ///   - interest: The one who waits.
    ///   - startsHere: Whether the work begins on this thread, where that is one of the pool that all tasks share. Not
    ///     for what calls code that takes its time, and not for what may be nested without end.
    ///   - onReport: Told what is reported meanwhile; nil tells the one who waits.
    ///   - onJoin: Called at once where the work is under way already.
    ///   - body: The work; given the interest with which it waits for other work. Runs in a task of its own.
    func value(
        for key: Key, interest: Interest, startsHere: Bool = true, onReport: (@Sendable (WorkReport) -> Void)? = nil,
        onJoin: () -> Void = {}, body: @escaping @Sendable (Interest) async throws -> Value
    ) async throws -> Value {
        let outcome = OneShot<Value>()
        let onReport = onReport ?? interest.report
        let priority = interest.priority
        let (workID, waiterID, isNew, work, report) = state.withLock { state in
            let waiterID = state.makeID()
            var work: Work
            let isNew: Bool
            if let known = state.works[key] {
                (work, isNew) = (known, false)
            } else {
                let workID = state.makeID()
                // Until it ends, it belongs to the request that begins it.
                let own = Interest(
                    priority: priority, requestID: interest.requestID,
                    wantsPreviews: { [self] in wantsPreviews(key, workID: workID) },
                    onReport: { [self] in forward($0, of: key, workID: workID) })
                (work, isNew) = (Work(id: workID, interest: own), true)
            }
            work.waiters[waiterID] = Waiter(
                interest: interest, onReport: onReport, outcome: outcome, priority: priority)
            state.works[key] = work
            return (work.id, waiterID, isNew, work.interest, work.report)
        }
        if isNew {
            let isOnPool = ActorIsolation.isNone(#isolation)
            start(key, workID: workID, interest: work, here: isOnPool && startsHere && !Task.isCancelled, body: body)
            // Where it had to wait for nothing there is nothing to be followed.
            if let result = outcome.take() { return try result.get() }
        } else {
            onJoin()
            onReport(report)
        }
        let observation = interest.observe { [self] priority in
            setPriority(priority, of: waiterID, in: key, workID: workID)
        }
        defer { interest.endObserving(observation) }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            leave(key, workID: workID, waiterID: waiterID)
        }
    }

    private func start(
        _ key: Key, workID: Int, interest: Interest, here: Bool,
        body: @escaping @Sendable (Interest) async throws -> Value
    ) {
        let work = { @Sendable [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(interest))
            } catch {
                result = .failure(error)
            }
            finish(key, workID: workID, result)
        }
        // Detached: what several wait for inherits neither the values nor the priority of the one who came first.
        let task = here ? Task.detachedStartingHere(work) : Task.detached(operation: work)
        let isAbandoned = state.withLock { state in
            guard state.works[key]?.id == workID else { return true }
            state.works[key]?.task = task
            return false
        }
        // Either it is done already, or the last one left before the task was known.
        if isAbandoned { task.cancel() }
    }

    private func finish(_ key: Key, workID: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard let work = state.works[key], work.id == workID else { return [] }
            state.works[key] = nil
            return Array(work.waiters.values)
        }
        for waiter in waiters { waiter.outcome.resolve(result) }
    }

    private func leave(_ key: Key, workID: Int, waiterID: Int) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard state.works[key]?.id == workID,
                let waiter = state.works[key]?.waiters.removeValue(forKey: waiterID)
            else { return (nil, nil) }
            guard let work = state.works[key], work.waiters.isEmpty else { return (waiter, nil) }
            state.works[key] = nil
            return (waiter, work.task)
        }
        abandoned?.cancel()
        waiter?.outcome.resolve(.failure(CancellationError()))
        followWaiters(key, workID: workID)
    }

    private func setPriority(_ priority: Priority, of waiterID: Int, in key: Key, workID: Int) {
        state.withLock { state in
            guard state.works[key]?.id == workID else { return }
            state.works[key]?.waiters[waiterID]?.priority = priority
        }
        followWaiters(key, workID: workID)
    }

    /// Makes the work as urgent as the most urgent of those who wait; looks again, since others do the same.
    private func followWaiters(_ key: Key, workID: Int) {
        while true {
            let found = state.withLock { state -> (Interest, Priority)? in
                guard let work = state.works[key], work.id == workID else { return nil }
                return (work.interest, work.priority)
            }
            guard let (interest, highest) = found, interest.priority != highest else { return }
            interest.priority = highest
        }
    }

    private func wantsPreviews(_ key: Key, workID: Int) -> Bool {
        waiters(of: key, workID: workID).contains { $0.interest.wantsPreviews }
    }

    private func forward(_ report: WorkReport, of key: Key, workID: Int) {
        let waiters = state.withLock { state -> [Waiter] in
            guard let work = state.works[key], work.id == workID else { return [] }
            state.works[key]?.report = work.report.updated(by: report)
            return Array(work.waiters.values)
        }
        for waiter in waiters { waiter.onReport(report) }
    }

    private func waiters(of key: Key, workID: Int) -> [Waiter] {
        state.withLock { state in
            guard let work = state.works[key], work.id == workID else { return [] }
            return Array(work.waiters.values)
        }
    }
}
