/// A processor that has the last word on a request's context.
///
/// Set it with the key ``ContextKey/optionsProcessor``, usually in the manager's context.
public protocol OptionsProcessor: Sendable {
    /// Returns the changes for this request. An empty context changes nothing.
    ///
    /// Called once for each request and state of the manager, and again if the requested local file or the list of
    /// registered loaders has changed. The result is remembered with the request. Runs on one of a few threads reserved
    /// for such calls, never under a lock. If it throws an error, the request ends with the code `processorFailed`.
    /// - Parameters:
    ///   - context: The values in force, each with its layer.
    ///   - url: The URL of the request.
    /// - Returns: Values that win over all layers. Use `.off` to remove a value.
    func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext
}
