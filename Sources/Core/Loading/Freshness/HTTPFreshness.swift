/// Whether a stored response may be used without revalidation. Source: RFC 9111, section 4.2, and RFC 5861.
enum HTTPFreshness: Sendable, Hashable {
    /// The response may be used without asking the server.
    case fresh
    /// The response is stale. The server must confirm the response before it is used, except during the two periods
    /// given by the associated values.
    /// - Parameters:
    ///   - whileRevalidating: The number of seconds for which the response may still be used at once, during its
    ///     revalidation; 0 if it must not be used then.
    ///   - ifError: The number of seconds for which the response may still be used if its revalidation fails; 0 if it
    ///     must not be used then.
    case stale(whileRevalidating: Double, ifError: Double)
}
