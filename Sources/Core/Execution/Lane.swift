import Dispatch

/// A few threads for work that blocks, so that it does not hold up the threads that tasks run on.
///
/// Work of different kinds has lanes of its own: a slow decode never holds up a disk hit. The most urgent waits least,
/// and urgency can change while waiting. Threads begin when they are needed and end after a while without work.
///
/// Work is refused with an error of the code `outOfThreads` when the system makes no thread and the lane has none.
public final class Lane: Sendable {
    /// Work for a thread. Called once: with nil on one of the lane's threads, or with the reason why there is none, on
    /// the thread that noticed.
    typealias Work = @Sendable (_ refusal: ImageError?) -> Void
    /// A function that runs another one on a new thread with a name.
    typealias ThreadStarter = @Sendable (String, @escaping @Sendable () -> Void) throws(ImageError) -> Void

    private struct State {
        var waiting = PriorityQueue<Work>()
        var threads = 0
        var idle = 0
    }

    /// The name of the lane's threads, of which systems show fifteen characters.
    public let name: String
    /// The most threads at once.
    public let width: Int

    private let state = Lock(State())
    private let wake = DispatchSemaphore(value: 0)
    private let startThread: ThreadStarter
    private static let idleTime = DispatchTimeInterval.seconds(10)

    /// A lane.
    /// - Parameters:
    ///   - name: The name of its threads.
    ///   - width: The most threads at once; at least 1.
    public convenience init(name: String, width: Int) {
        self.init(name: name, width: width) { (name, life) throws(ImageError) in
            try DetachedThread.start(name: name, life)
        }
    }

    /// - Parameter startThread: Makes the lane's threads.
    init(name: String, width: Int, startThread: @escaping ThreadStarter) {
        precondition(width > 0, "a lane of \(width) threads")
        self.name = name
        self.width = width
        self.startThread = startThread
    }

    /// The amount of work that waits for a thread.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` on one of the lane's threads and returns or throws what it does.
    ///
    /// Throws an error of the code `outOfThreads` when there is no thread to run it on.
    ///
    /// When the surrounding task is cancelled, throws `CancellationError` at once; a body that has not begun never
    /// will, one that has runs to its end and its result is dropped.
    public func run<Result: Sendable>(
        priority: Priority = .normal, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await run(priority: priority) { _ in try body() }
    }

    /// Runs `body` on one of the lane's threads, with a job that is cancelled with the surrounding task, and returns or
    /// throws what it does.
    ///
    /// For bodies that take long: calling ``Job/check()`` as they go frees the thread soon after the last waiter has
    /// left. When the surrounding task is cancelled, throws `CancellationError` at once, whatever the body does.
    public func run<Result: Sendable>(
        priority: Priority = .normal, _ body: @escaping @Sendable (Job) throws -> Result
    ) async throws -> Result {
        try await run(for: Demand(priority), job: Job(), body)
    }

    /// Runs `body` as urgently as `demand` says, now and later. Cancelling the task cancels the job too.
    func run<Result: Sendable>(
        for demand: Demand, job: Job, _ body: @escaping @Sendable (Job) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let outcome = OneShot<Result>()
        let ticket = start(priority: demand.priority) { refusal in
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
        let observation = demand.observePriority { [self] priority in
            state.withLock { $0.waiting.setPriority(priority, of: ticket) }
        }
        defer { demand.endObserving(observation) }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            job.cancel()
            withdraw(ticket)
            outcome.resolve(.failure(CancellationError()))
        }
    }

    /// Puts `work` in line for a thread, for callers that do not await.
    /// - Returns: What withdraws it.
    @discardableResult
    func start(priority: Priority = .normal, _ work: @escaping Work) -> Int {
        let (ticket, startsThread, wakesThread) = state.withLock { state in
            let ticket = state.waiting.add(work, priority: priority)
            if state.idle > 0 {
                // One signal for each idle thread at most: the thread is idle no more from here on.
                state.idle -= 1
                return (ticket, false, true)
            }
            guard state.threads < width else { return (ticket, false, false) }
            state.threads += 1
            return (ticket, true, false)
        }
        if wakesThread { wake.signal() }
        if startsThread { addThread() }
        return ticket
    }

    /// Makes a thread, which is counted already. Without any thread at all, refuses what waits.
    private func addThread() {
        do throws(ImageError) {
            try startThread(name) { self.work() }
        } catch {
            let refused = state.withLock { state -> [Work] in
                state.threads -= 1
                // The others do it, when they are done with what they do now.
                guard state.threads == 0 else { return [] }
                var refused: [Work] = []
                while let work = state.waiting.next() { refused.append(work) }
                return refused
            }
            for work in refused { work(error) }
        }
    }

    /// Takes back what waits for a thread; false when it has begun.
    @discardableResult
    func withdraw(_ ticket: Int) -> Bool {
        let work = state.withLock { $0.waiting.remove(ticket) }
        return work != nil
    }

    /// A thread's life: does what waits, then waits for more, then ends.
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
                // Somebody may have counted on this thread just now, in which case its signal is on the way.
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
