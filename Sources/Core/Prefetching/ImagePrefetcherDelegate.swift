/// Is told what a prefetcher does, over all its lists.
///
/// Counts are of all lists since none was under way; of one that was cancelled, what had ended until then. Called on a
/// queue of the prefetcher's own, one call after another, never under a lock nor from within a call to the prefetcher
/// or to a token. May block, which holds up that prefetcher alone: a request is under way until it has returned.
public protocol ImagePrefetcherDelegate: AnyObject, Sendable {
    /// A request has ended, skipped or not. Called before the closure of its own list is. Default: nothing.
    func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress)

    /// The last list under way has ended, be it by cancelling. Called before its token says so, unless it was
    /// cancelled. Default: nothing.
    func didFinish(_ progress: PrefetchProgress)
}

extension ImagePrefetcherDelegate {
    public func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress) {}
    public func didFinish(_ progress: PrefetchProgress) {}
}
