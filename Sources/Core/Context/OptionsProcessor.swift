/// Has the last word on a request's context.
///
/// Set with the key ``ContextKey/optionsProcessor``, usually in the manager's context.
public protocol OptionsProcessor: Sendable {
    /// What is to be changed for this request; an empty context changes nothing.
    ///
    /// Called once for each request and state of the manager, and remembered with the request; again when the local file
    /// that is asked for has changed. On one of a few threads that are there for it, and never under a lock. What it throws ends the request with the code `processorFailed`.
    /// - Parameters:
    ///   - context: The values in force, each with its layer.
    ///   - url: The URL that is asked for.
    /// - Returns: Values that win over all layers. Use `.off` to take something away.
    func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext
}
