/// The version of the bytes that a URL leads to, as far as a loader can tell it before it loads them.
@nonexhaustive
public enum SourceVersion: Sendable, Hashable {
    /// Nothing distinguishes versions: a cached copy is used until it expires or is removed.
    case unversioned
    /// A text that no other version has. Caches keep a digest of it.
    case known(String)
    /// There is nothing now, or the system does not say what. If a load brings something nevertheless, because it has
    /// come meanwhile, it is delivered and not kept.
    case absent
    /// The version cannot be told without waiting: the loader is asked again where waiting is allowed.
    case unknown

    /// A digest for identities; nil if nothing is known.
    var digest: String? {
        guard case .known(let text) = self else { return nil }
        return SHA256.hex(of: text, byteCount: 8)
    }
}
