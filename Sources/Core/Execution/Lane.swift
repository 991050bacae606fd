import Dispatch

/// A small pool of threads for blocking work, which must not block the threads that Swift tasks run on.
///
/// Each kind of work has its own lane, so that a slow decode never delays a disk hit. More urgent work runs first,
/// and priorities can change while work waits. Threads start when they are needed and end after a while without work.
///
/// Work fails with the code `outOfThreads` if the system cannot make a thread and the lane has none.
public final class Lane: Sendable {
    /// A piece of work for a lane. A thread of the lane calls it with nil. If the lane has no thread and the system
    /// cannot make one, the work is called with the error, on the thread that tried to make one. Work is called exactly
    /// once, unless it is withdrawn.
    typealias Work = @Sendable (_ refusal: ImageError?) -> Void
    /// A function that runs a closure on a new thread with a given name.
    typealias ThreadStarter = @Sendable (String, @escaping @Sendable () -> Void) throws(ImageError) -> Void

    private struct State {
        var waiting = PriorityQueue<Work>()
        var threads = 0
        var idle = 0
    }

    /// The name of the lane's threads. Linux shows its first fifteen bytes.
    public let name: String
    /// The maximum number of threads.
    public let width: Int

    private let state = Lock(State())
    private let wake = DispatchSemaphore(value: 0)
    private let startThread: ThreadStarter
    private static let idleTime = DispatchTimeInterval.seconds(10)

    /// Creates a lane.
    /// - Parameters:
    ///   - name: The name of its threads.
    ///   - width: The maximum number of threads; at least 1.
    public convenience init(name: String, width: Int) {
        self.init(name: name, width: width) { (name, life) throws(ImageError) in
            try DetachedThread.start(name: name, life)
        }
    }

    /// Creates a lane whose threads are started by `startThread`.
    init(name: String, width: Int, startThread: @escaping ThreadStarter) {
        precondition(width > 0, "a lane needs at least one thread")
        self.name = name
        self.width = width
        self.startThread = startThread
    }

    /// The number of pieces of work that wait for a thread.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` on one of the lane's threads, and returns its result or throws its error.
    ///
    /// Throws an error with the code `outOfThreads` if there is no thread to run it on. If the surrounding task is
    /// cancelled, throws `CancellationError` at once. A body that has not begun by then never runs. A body that has
    /// begun runs to its end, and its result is dropped.
    public func run<Result: Sendable>(
        priority: Priority = .normal, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await run(priority: priority) { _ in try body() }
    }

    /// Runs `body` on one of the lane's threads, with a job that is cancelled with the surrounding task, and returns
    /// its result or throws its error.
    ///
    /// Use this method for bodies that take long. Call ``Job/check()`` regularly to free the thread soon after the task
    /// is cancelled. If the surrounding task is cancelled, throws `CancellationError` at once, whatever the body does.
    public func run<Result: Sendable>(
        priority: Priority = .normal, _ body: @escaping @Sendable (Job) throws -> Result
    ) async throws -> Result {
        try await run(for: Demand(priority), job: Job(), body)
    }

    /// Runs `body` on one of the lane's threads. While it waits, it has the current priority of `demand`. Cancelling
    /// the surrounding task also cancels `job`.
    func run<Result: Sendable>(
        for demand: Demand, job: Job, _ body: @escaping @Sendable (Job) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let outcome = OneShot<Result>()
        let ticket = makeTicket()
        let observation = demand.observePriority { [self] priority in
            state.withLock { $0.waiting.setPriority(priority, of: ticket) }
        }
        defer { demand.endObserving(observation) }
        return try await withTaskCancellationHandler {
            // Started only now, so that a cancellation always reaches a body that runs.
            start(ticket, for: demand) { refusal in
                if let refusal {
                    outcome.resolve(.failure(refusal))
                    return
                }
                guard !job.isCancelled else {
                    outcome.resolve(.failure(CancellationError()))
                    return
                }
                outcome.resolve(Swift.Result { try body(job) })
            }
            // A cancellation before the start withdrew nothing.
            if Task.isCancelled { withdraw(ticket) }
            return try await outcome.value()
        } onCancel: {
            job.cancel()
            withdraw(ticket)
            outcome.resolve(.failure(CancellationError()))
        }
    }

    /// Adds work, and returns without waiting for it to run. Returns a ticket for ``withdraw(_:)``.
    @discardableResult
    func start(priority: Priority = .normal, _ work: @escaping Work) -> Int {
        let ticket = makeTicket()
        start(ticket, for: Demand(priority), work)
        return ticket
    }

    private func makeTicket() -> Int { state.withLock { $0.waiting.makeTicket() } }

    private func start(_ ticket: Int, for demand: Demand, _ work: @escaping Work) {
        let (startsThread, wakesThread) = state.withLock { state in
            // The priority is read under the lock: a change before this moment found nothing in the queue.
            state.waiting.add(work, priority: demand.priority, ticket: ticket)
            if state.idle > 0 {
                // Each idle thread gets at most one signal: from here on it counts as busy.
                state.idle -= 1
                return (false, true)
            }
            guard state.threads < width else { return (false, false) }
            state.threads += 1
            return (true, false)
        }
        if wakesThread { wake.signal() }
        if startsThread { addThread() }
    }

    /// Starts a thread, which the caller has already counted. If that fails and the lane has no thread, all waiting
    /// work is called with the error.
    private func addThread() {
        do throws(ImageError) {
            try startThread(name) { self.work() }
        } catch {
            let refused = state.withLock { state -> [Work] in
                state.threads -= 1
                // The other threads do the waiting work after their present work.
                guard state.threads == 0 else { return [] }
                var refused: [Work] = []
                while let work = state.waiting.next() { refused.append(work) }
                return refused
            }
            for work in refused { work(error) }
        }
    }

    /// Withdraws work that waits for a thread. Returns false if the work no longer waits.
    @discardableResult
    func withdraw(_ ticket: Int) -> Bool {
        let work = state.withLock { $0.waiting.remove(ticket) }
        return work != nil
    }

    /// Performs waiting work on the current thread. Returns after the thread has been idle for ``idleTime``.
    private func work() {
        while true {
            let work = state.withLock { state -> Work? in
                if let work = state.waiting.next() { return work }
                state.idle += 1
                return nil
            }
            if let work {
                work(nil)
                continue
            }
            guard wake.wait(timeout: .now() + Self.idleTime) == .timedOut else { continue }
            let ends = state.withLock { state in
                // If new work has just been assigned to this thread, its signal is on the way.
                guard state.idle > 0 else { return false }
                state.idle -= 1
                state.threads -= 1
                return true
            }
            if ends { return }
            wake.wait()
        }
    }
}
