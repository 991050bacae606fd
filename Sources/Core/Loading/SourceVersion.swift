/// The version of the data at a URL, as a loader can determine it before a load.
@nonexhaustive
public enum SourceVersion: Sendable, Hashable {
    /// The loader cannot distinguish versions. A cached copy is used until it expires or is removed.
    case unversioned
    /// The version is known, as a text that no other version of the data has. Caches store a digest of the text.
    case known(String)
    /// There is no data now, or the system cannot determine the version. If a load still returns data, for example
    /// because a file has appeared since, the data is delivered but not stored on disk.
    case absent
    /// The version cannot be determined without waiting. The loader is asked again when waiting is allowed.
    case unknown

    /// The digest of the version, for the identities of requests; nil if the version is not `known`.
    var digest: String? {
        guard case .known(let text) = self else { return nil }
        return SHA256.hex(of: text, byteCount: 8)
    }
}
