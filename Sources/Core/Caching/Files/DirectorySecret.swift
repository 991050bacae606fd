/// The random secret of a ``DiskCache``'s directory, stored in the directory. The names of entries, sources and tags
/// are digests that are keyed with it. Without it, nobody can guess the private parts of cache keys from the directory,
/// or find an entry by its key.
final class DirectorySecret: Sendable {
    /// The kind of text from which a digest is computed. Texts of different kinds never have the same digest.
    private enum Kind: String {
        case source, policy, entry, tag
    }

    /// The length of the secret and of its file, in bytes.
    static let byteCount = 32

    let bytes: [UInt8]
    private let hmac: HMAC
    /// The digest of the default ``VariantKey/policy``, the empty text. Stored because most entries have this policy.
    private let defaultPolicy: [UInt8]
    /// The digest of an empty variant under the default policy, as in the keys of most originals. Computed once.
    private let defaultOriginal: [UInt8]

    /// Creates a secret of 32 bytes. Returns nil for any other number of bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
        let hmac = HMAC(key: bytes)
        self.hmac = hmac
        defaultPolicy = Self.digest(of: "", .policy, hmac)
        defaultOriginal = Self.digest(ofPolicy: "", variant: "", hmac)
    }

    /// Returns a new, random secret.
    static func random() -> DirectorySecret {
        guard let secret = DirectorySecret(HMAC.randomKey()) else { preconditionFailure("a random key has 32 bytes") }
        return secret
    }

    /// Returns the digest of a source, with 32 bytes.
    func digest(of source: SourceKey) -> [UInt8] { Self.digest(of: source.text, .source, hmac) }

    /// Returns the digest of a policy, with 32 bytes.
    func digest(ofPolicy policy: String) -> [UInt8] {
        policy.isEmpty ? defaultPolicy : Self.digest(of: policy, .policy, hmac)
    }

    /// Returns the digest of an entry, given its policy and its variant, with 32 bytes.
    func digest(ofPolicy policy: String, variant: String) -> [UInt8] {
        policy.isEmpty && variant.isEmpty
            ? defaultOriginal : Self.digest(ofPolicy: policy, variant: variant, hmac)
    }

    /// Returns the digest of a tag, with 16 bytes. Canonically equivalent Unicode texts have the same digest, because
    /// Swift treats them as equal.
    func digest(ofTag tag: String) -> [UInt8] {
        // The form in which the standard library compares and hashes strings. The property is public although its name
        // begins with an underscore; the only alternative is to depend on Foundation.
        var message = Array("\(Kind.tag.rawValue)\0".utf8)
        message.append(contentsOf: tag._nfcCodeUnits)
        return Array(hmac.digest(of: message).prefix(DiskEntryFormat.tagDigestByteCount))
    }

    /// Returns the digest of an entry. The length of the policy shows where the policy ends, whatever it contains.
    private static func digest(ofPolicy policy: String, variant: String, _ hmac: HMAC) -> [UInt8] {
        digest(of: "\(policy.utf8.count) \(policy)\0\(variant)", .entry, hmac)
    }

    private static func digest(of text: String, _ kind: Kind, _ hmac: HMAC) -> [UInt8] {
        hmac.digest(of: "\(kind.rawValue)\0\(text)".utf8)
    }
}

extension DirectorySecret: Equatable {
    static func == (one: DirectorySecret, other: DirectorySecret) -> Bool { one === other || one.bytes == other.bytes }
}
