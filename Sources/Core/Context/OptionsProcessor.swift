/// A processor that makes the last changes to a request's context.
///
/// Set it with the key ``ContextKey/optionsProcessor``, usually in the manager's context.
public protocol OptionsProcessor: Sendable {
    /// Returns the changes to the context of a request. An empty context changes nothing.
    ///
    /// The result is remembered with the request. The method is called again for the same request if another manager
    /// runs the request, or if the manager's context, the requested local file or the list of registered loaders has
    /// changed. The call is made on one of a few threads that are reserved for such calls, never under a lock.
    ///
    /// If the method throws an ``ImageError``, the request fails with that error. After any other error, the request
    /// fails with the code `processorFailed`.
    /// - Parameters:
    ///   - context: The values in force, each with its layer.
    ///   - url: The URL of the request.
    /// - Returns: Values that override the values of all layers. Use `.off` to remove a value.
    func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext
}
