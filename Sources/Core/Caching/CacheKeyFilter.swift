/// A filter that returns the text by which caches identify the source of an image, given its URL. For example, the text
/// can leave out parameters of the URL that change from request to request.
///
/// Called when a request is resolved, on one of a few threads that are reserved for such calls, never under a lock. The
/// request keeps the result until one of these changes: the manager's context, the registered loaders, or the version
/// of a local file.
public protocol CacheKeyFilter: Sendable {
    /// Returns the key under which the URL's image is cached. Return nil to use the URL.
    ///
    /// The key must not contain credentials, since it can appear in messages and on disk.
    ///
    /// If this throws an ``ImageError``, the request fails with that error. After any other error, it fails with the
    /// code `processorFailed`.
    func key(for url: URL, context: ResolvedContext) throws -> String?
}
