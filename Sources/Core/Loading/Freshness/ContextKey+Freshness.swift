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
