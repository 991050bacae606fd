extension ContextDeclaration {
    /// The declarations of the library's own context keys. Each partial list is declared beside its keys.
    static let builtIn: [ContextDeclaration] =
        coding + resampling + decoding + limits + encoding + loading + freshness + caching + memoryCache + transforming
        + priority + requests + placeholders + delivery
}
