extension ContextKey where Value == HTTPCaching {
    /// Whether HTTP's rules for caches decide what is stored, for how long, and when it is revalidated. Default:
    /// ``HTTPCaching/ignore``.
    public static let httpCaching = ContextKey(
        "httpCaching", default: .ignore, affects: .stored,
        summary: "Whether the rules of HTTP decide what is stored, for how long, and when it is revalidated.")
}

extension ContextSetting {
    /// Sets whether HTTP's rules for caches are followed or ignored. Default: ``HTTPCaching/ignore``.
    public static func httpCaching(_ caching: HTTPCaching) -> ContextSetting { .set(.httpCaching, to: caching) }
}

extension ContextDeclaration {
    /// The context keys that concern the freshness of HTTP responses.
    static let freshness: [ContextDeclaration] = [ContextKey.httpCaching.declaration]
}
