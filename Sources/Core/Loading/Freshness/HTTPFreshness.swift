/// The ways in which a stored answer may be used. Source: RFC 9111, section 4.2, and RFC 5861.
enum HTTPFreshness: Sendable, Hashable {
    /// The answer may be used as it is.
    case fresh
    /// Once the server has confirmed it.
    /// - Parameters:
    ///   - whileRevalidating: For how many seconds more it may be used at once, while the server is asked; 0: not now.
    ///   - ifError: For how many seconds more it may be used when the server cannot answer; 0: not now.
    case stale(whileRevalidating: Double, ifError: Double)
}
