import Synchronization

/// Carries cancelling and a deadline into code that does not await.
///
/// Whoever works in a loop calls `check()` once for each row, scan or frame; what it throws is to be let through.
/// Copies are one job. Thread-safe.
public struct Job: Sendable {
    private final class Flag: Sendable {
        let isCancelled = Atomic(false)
    }

    private let flag = Flag()
    private let deadline: Duration?
    private let time: any TimeSource

    /// A job that nobody has cancelled yet.
    /// - Parameters:
    ///   - timeout: How long it may take from now; nil, the default, is as long as it takes.
    ///   - time: The clock that the timeout is measured by.
    public init(timeout: Duration? = nil, time: any TimeSource = SystemTime()) {
        self.time = time
        deadline = timeout.map { time.now() + $0 }
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
                advice: "raise the context value `timeout`")
        }
    }
}
