/// A policy that sets how often a failed load is retried, and the wait before each retry.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.retryPolicy(RetryPolicy(count: 3))])
/// ```
///
/// The wait before each retry is random, so that requests that failed together are not retried at the same moment. Its
/// upper limit grows from one retry to the next. The wait is never shorter than the source asks for. A load that waits
/// does not count as one of the concurrent loads. Requests that share a load also share its retries, which follow the
/// policy of the request that began the load.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries; 0 for none.
    public var count: Int
    /// The maximum wait before the first retry.
    public var firstDelay: Duration
    /// The factor by which the maximum wait grows from one retry to the next.
    public var factor: Double
    /// The maximum wait before any retry, unless the source asks for a longer one: see ``maxRetryAfter``.
    public var maxDelay: Duration
    /// The maximum wait that a source may ask for. If a source asks for a longer wait, the load is not retried and its
    /// error is thrown.
    public var maxRetryAfter: Duration
    /// The function that chooses the wait, in seconds, from a range.
    public var random: @Sendable (ClosedRange<Double>) -> Double
    /// The function that decides whether a load that failed with an error is retried. Not called for cancelled loads,
    /// which are never retried.
    public var shouldRetry: @Sendable (ImageError) -> Bool

    /// Creates a policy. Its closures are called from several tasks at once, never under a lock, and must return soon.
    /// - Parameters:
    ///   - count: The maximum number of retries.
    ///   - firstDelay: The maximum wait before the first retry. Default: half a second.
    ///   - factor: The factor by which the maximum wait grows from one retry to the next. Default: 2.
    ///   - maxDelay: The maximum wait before any retry, unless the source asks for a longer one. Default: 30 seconds.
    ///   - maxRetryAfter: The maximum wait that a source may ask for. Default: one minute.
    ///   - random: A closure that chooses the wait, in seconds, from a range. Default: uniformly random. `\.upperBound`
    ///     always chooses the maximum wait.
    ///   - shouldRetry: A closure that returns whether a load that failed with an error is retried. Default:
    ///     ``ImageError/isTransient``.
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

    /// Returns the wait before a retry; nil if the load is not retried.
    /// - Parameter retry: The number of the retry; 1 is the first.
    func delay(beforeRetry retry: Int, after error: ImageError) -> Duration? {
        guard retry <= count, error.code != .cancelled, shouldRetry(error) else { return nil }
        let least = error.retryAfter ?? .zero
        guard least <= maxRetryAfter else { return nil }
        return max(least, backOff(beforeRetry: retry))
    }

    // The order of the arguments of `min` and `max` also turns NaN into a number. The factor may be NaN, and the
    // closure may return NaN.
    private func backOff(beforeRetry retry: Int) -> Duration {
        let longest = max(0, maxDelay.seconds)
        var bound = max(0, min(longest, firstDelay.seconds))
        for _ in 1..<retry where bound < longest { bound = max(0, min(longest, bound * factor)) }
        return .seconds(min(bound, max(0, random(0...bound))))
    }

    /// The number of retries and the maximum wait before the first one, as text for people.
    var text: String { count > 0 ? "\(count), the first after up to \(firstDelay.contextText)" : "0" }
}
