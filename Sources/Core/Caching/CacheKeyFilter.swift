/// A filter that makes the source key of a URL, for example without parameters that change from request to request.
///
/// Called when a request is resolved. The result is remembered with the request until the manager's context, the
/// registered loaders or the version of a local file change. Runs on one of a few threads reserved for such calls,
/// never under a lock.
public protocol CacheKeyFilter: Sendable {
    /// Returns the key under which the URL's image is cached. Return nil to use the URL.
    ///
    /// If this throws, the request fails with the code `processorFailed`. The key must not contain credentials: it is
    /// written to disk.
    func key(for url: URL, context: ResolvedContext) throws -> String?
}
