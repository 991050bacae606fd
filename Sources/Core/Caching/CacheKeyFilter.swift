/// Makes the source key of a URL, for example without parameters that change from request to request.
///
/// Called once for each request and state of the manager, on one of a few threads that are there for
/// it, never under a lock.
public protocol CacheKeyFilter: Sendable {
    /// The key under which the URL's image is cached; nil to use the URL. What it throws ends the request with the code
    /// `processorFailed`. Credentials do not belong in it: it is written to disk.
    func key(for url: URL, context: ResolvedContext) throws -> String?
}
