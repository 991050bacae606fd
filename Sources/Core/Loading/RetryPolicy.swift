/// The policy for the number of retries of a failed load, and for the times between them.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.retryPolicy(RetryPolicy(count: 3))])
/// ```
///
/// Before each retry it waits for a random part of a time that grows from one to the next, so that requests that one
/// failure has hit do not all come back at once; but never less than the source asks for. While it waits it holds no
/// place among the loads. A shared load is retried once for all its waiters, by the policy of the request that began
/// it.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries; 0 is none.
    public var count: Int
    /// The longest wait before the first further try.
    public var firstDelay: Duration
    /// The factor by which the wait grows from one retry to the next.
    public var factor: Double
    /// No wait is longer, however often it was tried; but see ``maxRetryAfter``.
    public var maxDelay: Duration
    /// The longest wait that a source may ask for. One that asks for more is not asked again: its error is thrown.
    public var maxRetryAfter: Duration
    /// A number of a range, in seconds, by which the wait is chosen.
    public var random: @Sendable (ClosedRange<Double>) -> Double
    /// The decision whether an error is worth another try. Cancelled loads are never retried.
    public var shouldRetry: @Sendable (ImageError) -> Bool

    /// A policy. Its closures are called from many tasks at once, never under a lock, and must return soon.
    /// - Parameters:
    ///   - count: How often a load is tried again at most.
    ///   - firstDelay: The longest wait before the first further try. Default: half a second.
    ///   - factor: How many times as long as before the next wait may be. Default: 2.
    ///   - maxDelay: No wait is longer, unless the source asks for it. Default: 30 seconds.
    ///   - maxRetryAfter: The longest wait that a source may ask for. Default: one minute.
    ///   - random: A number of a range, in seconds. Default: any, one as likely as another. `\.upperBound` waits for
    ///     as long as it may.
    ///   - shouldRetry: Which errors are worth another try. Default: those that are ``ImageError/isTransient``.
    public init(
        count: Int, firstDelay: Duration = .milliseconds(500), factor: Double = 2, maxDelay: Duration = .seconds(30),
        maxRetryAfter: Duration = .seconds(60),
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) },
        shouldRetry: @escaping @Sendable (ImageError) -> Bool = { $0.isTransient }
    ) {
        self.count = count
        self.firstDelay = firstDelay
        self.factor = factor
        self.maxDelay = maxDelay
        self.maxRetryAfter = maxRetryAfter
        self.random = random
        self.shouldRetry = shouldRetry
    }

    /// A policy without retries.
    public static let never = RetryPolicy(count: 0)

    /// Returns the wait before the `retry`th retry; nil if there is none.
    /// - Parameters:
    ///   - retry: Which one, from 1 on.
    ///   - error: What the try before it failed with.
    func delay(beforeRetry retry: Int, after error: ImageError) -> Duration? {
        guard retry <= count, error.code != .cancelled, shouldRetry(error) else { return nil }
        let least = error.retryAfter ?? .zero
        guard least <= maxRetryAfter else { return nil }
        return max(least, backOff(beforeRetry: retry))
    }

    // The bounds stand where they make a number of what is none, too: a closure may return anything.
    private func backOff(beforeRetry retry: Int) -> Duration {
        let longest = max(0, maxDelay.seconds)
        var bound = max(0, min(longest, firstDelay.seconds))
        for _ in 1..<retry where bound < longest { bound = max(0, min(longest, bound * factor)) }
        return .seconds(min(bound, max(0, random(0...bound))))
    }

    /// The policy for people.
    var text: String { count > 0 ? "\(count), the first after up to \(firstDelay.contextText)" : "0" }
}
