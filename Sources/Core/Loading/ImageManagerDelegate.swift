/// Is asked what may be loaded, and which failures are remembered.
///
/// Set with the key ``ContextKey/delegate``, usually in the manager's context. All methods are called on one of a few
/// threads that are there for it, from several at once and never under a lock; the request that asks waits for the
/// answer. Where several requests share a load, the delegate of the one that began it is asked, once.
public protocol ImageManagerDelegate: Sendable {
    /// Whether this may be loaded. Asked when no cache has it, or before a cached copy is refreshed; not again when the
    /// load is retried. False ends the request with the code `notCached`. Default: true.
    func shouldLoad(_ request: LoadRequest) -> Bool

    /// Returns whether a load may follow a redirect. Default: true.
    ///
    /// Asked for each redirect in turn, and again when the load is retried, after the loader's own rules have allowed
    /// it and before anything is sent to `url`. The request's ``AddressPolicy`` applies later, to the address that is
    /// connected to, whatever the answer is. Never called on a thread that transfers run on. Until it returns, the load
    /// keeps its place in the loader's queue, and the time counts as time of the transfer. False ends the load with the
    /// code `redirectRefused`.
    /// - Parameters:
    ///   - request: What was asked for. Its URL is that of the request, whatever came before this redirect.
    ///   - url: Where the server redirects to: absolute, as it would be asked for, without user and password. Its
    ///     query may hold secrets.
    func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool

    /// Whether a URL is not asked again for now, since it has failed; nil if the rules shall say. Asked for requests
    /// that have ``ContextKey/failedURLTimeToLive`` alone, and not when they are cancelled. Default: nil.
    func shouldRememberFailure(of url: URL, error: ImageError) -> Bool?
}

extension ImageManagerDelegate {
    public func shouldLoad(_ request: LoadRequest) -> Bool { true }
    public func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool { true }
    public func shouldRememberFailure(of url: URL, error: ImageError) -> Bool? { nil }
}
