/// A delegate that receives the progress of a prefetcher, over all its lists.
///
/// Counts cover all lists since the prefetcher was last idle. If a list is cancelled, only its requests that had ended
/// before the cancellation are counted. Methods are called on a queue of the prefetcher's own, one call after another,
/// never under a lock and never from within a call to the prefetcher or to a token. They may block, which delays only
/// that prefetcher: a request remains in progress until the delegate has returned.
public protocol ImagePrefetcherDelegate: AnyObject, Sendable {
    /// Called when a request has ended, whether finished or skipped. The progress closure of the request's list is
    /// called afterward. Neither is called for requests that end after their list was cancelled. Default: does nothing.
    func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress)

    /// Called when no list is left, because the last one is complete or was cancelled. Default: does nothing.
    ///
    /// The token of a complete list reports the end of the list after this call. The token of a cancelled list may
    /// report the end before this call.
    func didFinish(_ progress: PrefetchProgress)
}

extension ImagePrefetcherDelegate {
    public func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress) {}
    public func didFinish(_ progress: PrefetchProgress) {}
}
