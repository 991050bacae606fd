import Synchronization

/// Carries cancelling and a deadline into code that does not await.
///
/// Code with a loop calls `check()` once for each row, scan or frame, and lets its error through. Copies are one job.
/// Thread-safe.
public struct Job: Sendable {
    private final class Flag: Sendable {
        let isCancelled = Atomic(false)
    }

    private let flag: Flag
    private let deadline: Duration?
    /// The context value that the deadline comes from: for advice.
    private let limitName: String
    private let time: any TimeSource

    /// A job that is not cancelled.
    /// - Parameters:
    ///   - timeout: How long it may take from now; nil, the default, is as long as it takes.
    ///   - time: The clock that the timeout is measured by.
    public init(timeout: Duration? = nil, time: any TimeSource = SystemTime()) {
        self.init(
            flag: Flag(), deadline: timeout.map { time.now() + $0 }, limitName: "timeout", time: time)
    }

    private init(flag: Flag, deadline: Duration?, limitName: String, time: any TimeSource) {
        self.flag = flag
        self.deadline = deadline
        self.limitName = limitName
        self.time = time
    }

    /// Returns the same job, which also ends when `timeout` is over from now on.
    /// - Parameters:
    ///   - limitName: The name of the context value that the timeout comes from.
    ///   - time: The clock of the job's own deadline, if it has one.
    func limited(to timeout: Duration, by limitName: String, time: any TimeSource) -> Job {
        let end = time.now() + timeout
        if let deadline, deadline <= end { return self }
        return Job(flag: flag, deadline: end, limitName: limitName, time: time)
    }

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { flag.isCancelled.load(ordering: .relaxed) }

    /// Asks the work to stop; it does at its next `check()`.
    public func cancel() { flag.isCancelled.store(true, ordering: .relaxed) }

    /// Throws `cancelled` or `timedOut` when the work should stop.
    public func check() throws(ImageError) {
        if isCancelled { throw .cancelled(stage: .decode) }
        if let deadline, time.now() > deadline {
            throw ImageError(
                .timedOut, stage: .decode, message: "took longer than allowed",
                advice: "raise the context value `\(limitName)`")
        }
    }
}
