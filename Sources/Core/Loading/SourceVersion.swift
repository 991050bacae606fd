/// The version of the data at a URL, as far as a loader can tell it before a load.
@nonexhaustive
public enum SourceVersion: Sendable, Hashable {
    /// Nothing distinguishes versions: a cached copy is used until it expires or is removed.
    case unversioned
    /// A text that no other version has. Caches store a digest of it.
    case known(String)
    /// There is no data now, or the system does not tell. If a load still returns data, because it has appeared
    /// meanwhile, the data is delivered but not stored.
    case absent
    /// The version cannot be told without waiting. The loader is asked again where waiting is allowed.
    case unknown

    /// A digest for identities; nil if nothing is known.
    var digest: String? {
        guard case .known(let text) = self else { return nil }
        return SHA256.hex(of: text, byteCount: 8)
    }
}
