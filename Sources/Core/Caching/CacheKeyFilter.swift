/// A filter that makes the source key of a URL, for example without parameters that change from request to request.
///
/// Called once for each request and state of the manager, on one of a few threads reserved for this, never under a
/// lock.
public protocol CacheKeyFilter: Sendable {
    /// Returns the key under which the URL's image is cached. Return nil to use the URL.
    ///
    /// If this throws, the request fails with the code `processorFailed`. The key must not contain credentials: it is
    /// written to disk.
    func key(for url: URL, context: ResolvedContext) throws -> String?
}
