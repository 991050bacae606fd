/// A delegate that decides which URLs may be loaded, which redirects may be followed, and which failures are
/// remembered.
///
/// Set the delegate with ``ContextKey/delegate``, usually in the manager's context. All methods are called on a few
/// dedicated threads, concurrently and never under a lock. The request waits until the method returns. If several
/// requests share a load, only the delegate of the request that began the load is asked.
public protocol ImageManagerDelegate: Sendable {
    /// Returns whether a request may be loaded. Default: true.
    ///
    /// If the method returns false, the request fails with the code `notCached`. A request that sets `refreshCached`
    /// returns the cached image instead.
    ///
    /// The method is called if no cache has the image, and before a cached copy is refreshed or revalidated. It is not
    /// called again for retries of the load.
    func shouldLoad(_ request: LoadRequest) -> Bool

    /// Returns whether a load may follow a redirect. If it returns false, the load fails with the code
    /// `redirectRefused`. Default: true.
    ///
    /// Called for each redirect, and again for retries of the load. The loader's own rules have already allowed the
    /// redirect, and nothing has been sent to `url` yet. The request's ``AddressPolicy`` applies even if this method
    /// returns true: the address is checked when the connection is made.
    ///
    /// The method is never called on a thread that transfers run on. Until it returns, the load counts as one of the
    /// loader's concurrent loads, and its time limit keeps running.
    /// - Parameters:
    ///   - request: The request. Its URL is the original one, even after other redirects.
    ///   - url: The target of the redirect: an absolute URL, as it would be requested, without user and password. Its
    ///     query may contain secrets.
    func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool

    /// Returns whether the failure of a URL is remembered, so that the URL is not loaded again for a while. Return nil
    /// to apply the default rules. Default: nil.
    ///
    /// Called only for requests that set ``ContextKey/failedURLTimeToLive``, and not for cancelled requests.
    func shouldRememberFailure(of url: URL, error: ImageError) -> Bool?
}

extension ImageManagerDelegate {
    public func shouldLoad(_ request: LoadRequest) -> Bool { true }
    public func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool { true }
    public func shouldRememberFailure(of url: URL, error: ImageError) -> Bool? { nil }
}
