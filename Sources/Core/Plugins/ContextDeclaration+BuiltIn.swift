extension ContextDeclaration {
    /// The declarations of the context keys that the library itself defines. Each partial list is declared beside its
    /// keys.
    static let builtIn: [ContextDeclaration] =
        coding + resampling + decoding + limits + encoding + loading + freshness + caching + memoryCache + transforming
        + priority + requests + placeholders + delivery
}
