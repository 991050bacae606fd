/// Has the last word on a request's context.
///
/// Set with the key ``ContextKey/optionsProcessor``, usually in the manager's context.
public protocol OptionsProcessor: Sendable {
    /// Returns the changes for this request; an empty context changes nothing.
    ///
    /// Called once for each request and state of the manager, and again when the requested local file or the list of
    /// registered loaders has changed. The result is remembered with the request. Runs on one of a few threads reserved
    /// for such calls, never under a lock. An error that it throws ends the request with the code `processorFailed`.
    /// - Parameters:
    ///   - context: The values in force, each with its layer.
    ///   - url: The URL that is asked for.
    /// - Returns: Values that win over all layers. Use `.off` to take something away.
    func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext
}
