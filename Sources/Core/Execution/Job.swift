import Synchronization

/// A cancellation flag and a deadline for synchronous code.
///
/// Code with a loop calls `check()` once for each row, scan or frame, and propagates the error that `check()` throws.
/// Copies share one flag. Thread-safe.
public struct Job: Sendable {
    private final class Flag: Sendable {
        let isCancelled = Atomic(false)
    }

    private let flag: Flag
    private let deadline: Duration?
    /// The name of the context value that sets the deadline. The advice of the `timedOut` error contains this name.
    private let limitName: String
    private let time: any TimeSource

    /// Creates a job that is not cancelled.
    /// - Parameters:
    ///   - timeout: The maximum duration from now; nil, the default, for no limit.
    ///   - time: The clock that measures the timeout.
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

    /// Returns the same job with an additional deadline, `timeout` from now.
    /// - Parameters:
    ///   - limitName: The name of the context value that the timeout comes from.
    ///   - time: The clock that measures the timeout. It must be the clock of the job's own deadline, if there is one.
    func limited(to timeout: Duration, by limitName: String, time: any TimeSource) -> Job {
        let end = time.now() + timeout
        if let deadline, deadline <= end { return self }
        return Job(flag: flag, deadline: end, limitName: limitName, time: time)
    }

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { flag.isCancelled.load(ordering: .relaxed) }

    /// Asks the work to stop, which it does at its next `check()`.
    public func cancel() { flag.isCancelled.store(true, ordering: .relaxed) }

    /// Throws `cancelled` or `timedOut` if the work should stop.
    public func check() throws(ImageError) {
        if isCancelled { throw .cancelled(stage: .decode) }
        if let deadline, time.now() > deadline {
            throw ImageError(
                .timedOut, stage: .decode, message: "the work took longer than the time limit",
                advice: "raise the context value `\(limitName)`")
        }
    }
}
