/// The secret of a ``DiskCache``'s directory, under which the names of entries, sources and tags are digests.
///
/// It keeps keys from being guessed by what a directory lists and its files say. A directory without it has no entries
/// that anybody finds.
final class DirectorySecret: Sendable {
    /// The kind of text that a digest is of: two kinds have no digest in common.
    private enum Kind: String {
        case source, policy, entry, tag
    }

    /// The length of the secret, and so of its file.
    static let byteCount = 32

    let bytes: [UInt8]
    private let hmac: HMAC
    /// The digest of the default policy. This and `defaultOriginal` are made once, since most entries are of the
    /// default policy and many are originals.
    private let defaultPolicy: [UInt8]
    private let defaultOriginal: [UInt8]

    /// A secret of 32 bytes; nil for any other number of them.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
        let hmac = HMAC(key: bytes)
        self.hmac = hmac
        defaultPolicy = Self.digest(of: "", .policy, hmac)
        defaultOriginal = Self.digest(ofPolicy: "", variant: "", hmac)
    }

    /// A new, random secret.
    static func random() -> DirectorySecret {
        guard let secret = DirectorySecret(HMAC.randomKey()) else { preconditionFailure("a random key has 32 bytes") }
        return secret
    }

    /// The digest of a source: 32 bytes, as of all.
    func digest(of source: SourceKey) -> [UInt8] { Self.digest(of: source.text, .source, hmac) }

    /// The digest of a policy.
    func digest(ofPolicy policy: String) -> [UInt8] {
        policy.isEmpty ? defaultPolicy : Self.digest(of: policy, .policy, hmac)
    }

    /// The digest of what was made of a source under a policy.
    func digest(ofPolicy policy: String, variant: String) -> [UInt8] {
        policy.isEmpty && variant.isEmpty
            ? defaultOriginal : Self.digest(ofPolicy: policy, variant: variant, hmac)
    }

    /// The digest of a tag, 16 bytes: one for all the ways in which Unicode composes its letters, since a set of tags
    /// holds but one of them.
    func digest(ofTag tag: String) -> [UInt8] {
        // The form by which the standard library compares and hashes texts: of its own API, though underscored, and
        // nothing short of all of Foundation offers it otherwise.
        var message = Array("\(Kind.tag.rawValue)\0".utf8)
        message.append(contentsOf: tag._nfcCodeUnits)
        return Array(hmac.digest(of: message).prefix(DiskEntryFormat.tagDigestByteCount))
    }

    /// Returns the digest of an entry. The length in front of the policy tells where it ends, whatever it holds.
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
