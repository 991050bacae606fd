/// The policy for the number of retries of a failed load, and for the times between them.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.retryPolicy(RetryPolicy(count: 3))])
/// ```
///
/// Before each retry, the load waits for a random part of a time that grows from one retry to the next, so that
/// requests hit by the same failure do not all return at once; but never for less than the source asks for. A waiting
/// load holds no place among the loads. A shared load is retried once for all its waiters, by the policy of the request
/// that began it.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries; 0 for none.
    public var count: Int
    /// The longest wait before the first retry.
    public var firstDelay: Duration
    /// The factor by which the wait grows from one retry to the next.
    public var factor: Double
    /// The longest wait before any retry, unless the source asks for more: see ``maxRetryAfter``.
    public var maxDelay: Duration
    /// The longest wait that a source may ask for. If a source asks for more, the load is not retried and its error is
    /// thrown.
    public var maxRetryAfter: Duration
    /// The function that chooses a number in a range, in seconds, for the wait.
    public var random: @Sendable (ClosedRange<Double>) -> Double
    /// The predicate that decides whether a load with an error is retried. Cancelled loads are never retried.
    public var shouldRetry: @Sendable (ImageError) -> Bool

    /// Creates a policy. Its closures are called from many tasks at once, never under a lock, and must return soon.
    /// - Parameters:
    ///   - count: The maximum number of retries.
    ///   - firstDelay: The longest wait before the first retry. Default: half a second.
    ///   - factor: The factor by which the longest wait grows from one retry to the next. Default: 2.
    ///   - maxDelay: The longest wait before any retry, unless the source asks for more. Default: 30 seconds.
    ///   - maxRetryAfter: The longest wait that a source may ask for. Default: one minute.
    ///   - random: Returns a number in a range, in seconds. Default: uniformly random. `\.upperBound` always waits for
    ///     the longest time.
    ///   - shouldRetry: Returns whether a load with an error is retried. Default: ``ImageError/isTransient``.
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
    ///   - retry: The number of the retry, from 1 on.
    ///   - error: The error of the attempt before it.
    func delay(beforeRetry retry: Int, after error: ImageError) -> Duration? {
        guard retry <= count, error.code != .cancelled, shouldRetry(error) else { return nil }
        let least = error.retryAfter ?? .zero
        guard least <= maxRetryAfter else { return nil }
        return max(least, backOff(beforeRetry: retry))
    }

    // The order of the bounds also turns NaN into a number: a closure may return anything.
    private func backOff(beforeRetry retry: Int) -> Duration {
        let longest = max(0, maxDelay.seconds)
        var bound = max(0, min(longest, firstDelay.seconds))
        for _ in 1..<retry where bound < longest { bound = max(0, min(longest, bound * factor)) }
        return .seconds(min(bound, max(0, random(0...bound))))
    }

    /// A readable text of the policy.
    var text: String { count > 0 ? "\(count), the first after up to \(firstDelay.contextText)" : "0" }
}
