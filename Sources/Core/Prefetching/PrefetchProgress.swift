/// The progress of prefetching, in numbers of requests.
public struct PrefetchProgress: Sendable, Hashable {
    /// The number of requests that succeeded. The bytes of their images may still be on their way to disk.
    public var finished: Int
    /// The number of requests that failed, or whose tasks were cancelled by code outside the prefetcher.
    public var skipped: Int
    /// The number of all requests, ended or not. When a list ends without being cancelled, the total equals the sum of
    /// ``finished`` and ``skipped``.
    public var total: Int

    /// Creates the progress of prefetching.
    public init(finished: Int, skipped: Int, total: Int) {
        self.finished = finished
        self.skipped = skipped
        self.total = total
    }

    /// The number of requests that have not ended.
    var remaining: Int { total - finished - skipped }

    /// Counts a request that has ended, as finished or as skipped.
    mutating func count(asFinished isFinished: Bool) {
        if isFinished { finished += 1 } else { skipped += 1 }
    }
}
