/// The modes of following HTTP's rules for caches.
public enum HTTPCaching: String, Sendable, Hashable, CaseIterable {
    /// HTTP's rules are ignored: a cached image is used until the cache itself drops it. The default, as images seldom
    /// change under their URL.
    case ignore
    /// HTTP's rules are followed: what the server forbids to store is not stored, and what is no longer fresh is
    /// requested again, or shown meanwhile, or shown if that fails, as far as the server allows it. An answer that the
    /// server chose by request fields is used for requests that have the same values in them. Source: RFC 9111 and RFC
    /// 5861.
    ///
    /// Where a server sends a request on to other places, what the last of them says holds: how long those on the way
    /// may be used, and by which fields they were chosen, is not looked at.
    case respect
}

extension HTTPCaching: ContextValue {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}

extension ContextKey where Value == HTTPCaching {
    /// The mode of following HTTP's rules for caches.
    public static let httpCaching = ContextKey(
        "httpCaching", default: .ignore, affects: .stored,
        summary: "Whether the rules of HTTP decide what is stored, for how long, and when it is revalidated.")
}

extension ContextSetting {
    /// Sets the mode of following HTTP's rules for caches. Default: ``HTTPCaching/ignore``.
    public static func httpCaching(_ caching: HTTPCaching) -> ContextSetting { .set(.httpCaching, to: caching) }
}

extension ContextDeclaration {
    /// The keys of HTTP freshness.
    static let freshness: [ContextDeclaration] = [ContextKey.httpCaching.declaration]
}
