/// Is asked what may be loaded, and which failures are remembered.
///
/// Set with the key ``ContextKey/delegate``, usually in the manager's context. Both methods are called on one of a few
/// threads that are there for it, from several at once and never under a lock; the request that asks waits for the
/// answer. Where several requests share a load, the delegate of the one that began it is asked, once.
public protocol ImageManagerDelegate: Sendable {
    /// Whether this may be loaded. Asked when no cache has it, or before a cached copy is refreshed; not again when the
    /// load is retried. False ends the request with the code `notCached`. Default: true.
    func shouldLoad(_ request: LoadRequest) -> Bool

    /// Whether a URL is not asked again for now, since it has failed; nil where the rules shall say. Asked for requests
    /// that have ``ContextKey/failedURLTimeToLive`` alone, and not when they are cancelled. Default: nil.
    func shouldRememberFailure(of url: URL, error: ImageError) -> Bool?
}

extension ImageManagerDelegate {
    public func shouldLoad(_ request: LoadRequest) -> Bool { true }
    public func shouldRememberFailure(of url: URL, error: ImageError) -> Bool? { nil }
}
