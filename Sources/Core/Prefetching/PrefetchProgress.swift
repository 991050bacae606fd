/// The progress of prefetching.
public struct PrefetchProgress: Sendable, Hashable {
    /// Requests whose image is where it was to be brought.
    public var finished: Int
    /// Requests that failed, or that somebody else cancelled.
    public var skipped: Int
    /// Requests in all. When there is nothing left to do, as many have finished or were skipped.
    public var total: Int

    /// Progress of prefetching.
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
