/// The ways in which a stored response may be used. Source: RFC 9111, section 4.2, and RFC 5861.
enum HTTPFreshness: Sendable, Hashable {
    /// The response may be used as it is.
    case fresh
    /// The response may be used once the server has confirmed it.
    /// - Parameters:
    ///   - whileRevalidating: The number of seconds for which it may still be used at once, while the server is asked;
    ///     0 if it may not.
    ///   - ifError: The number of seconds for which it may still be used if the server cannot answer; 0 if it may not.
    case stale(whileRevalidating: Double, ifError: Double)
}
