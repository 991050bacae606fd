/// Whether a stored response may be used without revalidation. Source: RFC 9111, section 4.2, and RFC 5861.
enum HTTPFreshness: Sendable, Hashable {
    /// The response may be used without asking the server.
    case fresh
    /// The response is stale, and must not be used before the server has confirmed it, except during two periods.
    /// - Parameters:
    ///   - whileRevalidating: The number of seconds for which the response may still be used during its revalidation; 0
    ///     for none.
    ///   - ifError: The number of seconds for which the response may still be used if its revalidation fails; 0 for
    ///     none.
    case stale(whileRevalidating: Double, ifError: Double)
}
