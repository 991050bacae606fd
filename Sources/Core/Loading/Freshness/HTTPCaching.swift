/// The modes of following HTTP's rules for caches.
public enum HTTPCaching: String, Sendable, Hashable, CaseIterable {
    /// HTTP's rules are ignored: a cached image is used until the cache itself removes it. This is the default, since
    /// images seldom change under their URL.
    case ignore
    /// HTTP's rules are followed. Responses that the server forbids to store are not stored. A stale response is
    /// requested again; it is shown meanwhile, or if the request fails, as far as the server allows it. A response that
    /// the server chose by request fields is used only for requests with the same values of these fields. Source: RFC
    /// 9111 and RFC 5861.
    ///
    /// After redirects, only the last response counts: the lifetimes and the chosen fields of the redirects are
    /// ignored.
    case respect
}

extension HTTPCaching: ContextValue {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}
