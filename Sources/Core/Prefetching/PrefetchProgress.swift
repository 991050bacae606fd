/// The progress of prefetching, in numbers of requests.
public struct PrefetchProgress: Sendable, Hashable {
    /// The number of requests whose images have reached their destination.
    public var finished: Int
    /// The number of requests that failed, or whose tasks were cancelled by code outside the prefetcher.
    public var skipped: Int
    /// The number of all requests. At the end, it is the sum of ``finished`` and ``skipped``.
    public var total: Int

    /// Creates the progress of prefetching.
    public init(finished: Int, skipped: Int, total: Int) {
        self.finished = finished
        self.skipped = skipped
        self.total = total
    }

    /// The number of requests that have not ended.
    var remaining: Int { total - finished - skipped }

    /// Counts the end of a request.
    mutating func count(asFinished isFinished: Bool) {
        if isFinished { finished += 1 } else { skipped += 1 }
    }
}
