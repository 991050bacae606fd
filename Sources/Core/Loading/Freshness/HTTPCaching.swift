/// Whether HTTP's rules for caches are followed or ignored.
public enum HTTPCaching: String, Sendable, Hashable, CaseIterable {
    /// HTTP's rules are ignored: a cached image is used until it expires by `timeToLive` or the cache removes it. This
    /// is the default, because the image at a URL seldom changes.
    ///
    /// Responses with `no-store` from the HTTP loader are still not stored on disk (``LoadHead/isStorable``).
    case ignore
    /// HTTP's rules are followed. Source: RFC 9111 and RFC 5861.
    ///
    /// A response is not stored if the server forbids it. A stale response is revalidated. If the server allows it, the
    /// stale response is used during the revalidation, or after the revalidation has failed. A response that the server
    /// chose by request fields (`Vary`) is used only for requests with the same values of these fields.
    ///
    /// After redirects, only the last response counts: the lifetimes and the `Vary` fields of the redirects are
    /// ignored.
    case respect
}

extension HTTPCaching: ContextValue {}
