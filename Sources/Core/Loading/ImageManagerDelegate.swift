/// A delegate that decides what may be loaded, and which failures are remembered.
///
/// Set it with the key ``ContextKey/delegate``, usually in the manager's context. All methods are called on a few
/// dedicated threads, from several at once and never under a lock; the request waits for the answer. If several
/// requests share a load, the delegate of the request that began it is asked once.
public protocol ImageManagerDelegate: Sendable {
    /// Returns whether a request may be loaded. Called if no cache has the image, or before a cached copy is refreshed;
    /// not again when the load is retried. False ends the request with the code `notCached`. Default: true.
    func shouldLoad(_ request: LoadRequest) -> Bool

    /// Returns whether a load may follow a redirect. Default: true.
    ///
    /// Called for each redirect in turn, and again when the load is retried, after the loader's own rules have allowed
    /// it and before anything is sent to `url`. The request's ``AddressPolicy`` applies later, to the address of the
    /// connection, whatever the answer is. The method is never called on a thread that transfers run on. Until it
    /// returns, the load keeps its place in the loader's queue, and the time counts as time of the transfer. False ends
    /// the load with the code `redirectRefused`.
    /// - Parameters:
    ///   - request: The request. Its URL is the original one, whatever redirects came before.
    ///   - url: The URL that the server redirects to: absolute, in the form in which it would be requested, without
    ///     user and password. Its query may contain secrets.
    func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool

    /// Returns whether the failure of a URL is remembered, so that the URL is not loaded again for now. Return nil for
    /// the default rules. Called only for requests that set ``ContextKey/failedURLTimeToLive``, and not when they are
    /// cancelled. Default: nil.
    func shouldRememberFailure(of url: URL, error: ImageError) -> Bool?
}

extension ImageManagerDelegate {
    public func shouldLoad(_ request: LoadRequest) -> Bool { true }
    public func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool { true }
    public func shouldRememberFailure(of url: URL, error: ImageError) -> Bool? { nil }
}
