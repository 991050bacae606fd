import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file name of an entry of a ``DiskCache``: `<2 digits>/<source>/<entry>`, relative to the layout directory
/// (`v2`).
///
/// Names are digests that are keyed with the ``DirectorySecret``. Every text can therefore be a key, no name leads out
/// of the directory, and without the secret a name does not reveal the key. All digits are lower-case hexadecimal:
/// - `<source>`: 32 digits, for the first 16 bytes of the digest of the source. Each source has its own directory, so
///   that removing a source requires listing only one directory.
/// - `<entry>`: 16 digits, for the first 8 bytes of the digest of the policy (``VariantKey/policy``), and then 16
///   digits, for the first 8 bytes of the digest of the policy and variant.
/// - `<2 digits>`: the first 2 digits of `<source>`. This directory is a shard.
///
/// If two keys ever have the same name, a read detects this by the digest in the file, which is longer than the name.
///
/// A digest is the HMAC with SHA-256 of a message with three parts: the kind of the text (`source`, `policy`, `entry`
/// or `tag`), a zero byte, and the text itself. The text of an entry is the policy's length in bytes, a space, the
/// policy, a zero byte and the variant.
///
/// A shard also has a directory for tags. The empty file `<2 digits>/tags/<tag>/<source><entry>` marks an entry that
/// has the tag, or once had it. `<tag>` is the first 16 bytes of the digest of the tag's text in Unicode Normalization
/// Form C, in hexadecimal digits.
///
/// A key stores its name, because computing the digests takes as long as reading a small entry.
final class DiskEntryName: Sendable {
    /// The name of the layout directory, in the directory of the cache. Each layout has a different name, so that no
    /// version of the library mistakes the files of another for its own.
    static let layout = "v2"
    /// The name of the file with the ``DiskLedger``.
    static let ledger = "usage"
    /// The name of the file with the ``DirectorySecret``.
    static let secret = "secret"
    /// The name of the directory for tags, which each shard may have.
    static let tags = "tags"
    /// The length of ``digest``, in bytes: 16 for the source, 8 for the policy and 32 for the entry.
    static let digestByteCount = sourceByteCount + policyByteCount + 32

    private static let sourceByteCount = 16
    private static let policyByteCount = 8
    /// The maximum number of names that a key stores, one for each secret of the directories in which it is looked up.
    private static let mostKept = 4

    /// The secret with which the digests are keyed.
    let secret: DirectorySecret
    /// The digests of the source, the policy and the entry, one after the other. The name contains only a part of them.
    let digest: [UInt8]
    /// The path of the source's directory, relative to the layout directory (`v2`), without a slash at either end.
    let directory: String
    /// The name of the file in the source's directory.
    let file: String
    /// The path of the file, relative to the layout directory (`v2`).
    let path: String
    /// The next name in the list that a key stores. Each name in the list has a different secret.
    private let next = AtomicLazyReference<DiskEntryName>()

    /// Creates the name of the entry for a key.
    init(_ key: VariantKey, under secret: DirectorySecret) {
        self.secret = secret
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.digestByteCount)
        digest.append(contentsOf: secret.digest(of: key.source).prefix(Self.sourceByteCount))
        digest.append(contentsOf: secret.digest(ofPolicy: key.policy).prefix(Self.policyByteCount))
        digest.append(contentsOf: secret.digest(ofPolicy: key.policy, variant: key.variant))
        self.digest = digest
        (directory, file) = Self.place(of: digest)
        path = "\(directory)/\(file)"
    }

    /// Returns the name that the key of this name has under a secret. The key stores its names for up to four secrets.
    /// Its names for further secrets are computed each time.
    /// - Parameters:
    ///   - key: The key of this name.
    ///   - number: The number of stored names that have been examined so far, including this one.
    func name(of key: VariantKey, under secret: DirectorySecret, after number: Int = 1) -> DiskEntryName {
        if self.secret == secret { return self }
        guard number < Self.mostKept else { return DiskEntryName(key, under: secret) }
        if let next = next.load() { return next.name(of: key, under: secret, after: number + 1) }
        let made = DiskEntryName(key, under: secret)
        let kept = next.storeIfNil(made)
        return kept.secret == secret ? kept : made
    }

    /// Returns the path of the entry with a given ``digest``, relative to the layout directory (`v2`). Returns nil if
    /// the digest does not have ``digestByteCount`` bytes.
    static func path(ofDigest digest: [UInt8]) -> String? {
        guard digest.count == digestByteCount else { return nil }
        let (directory, file) = place(of: digest)
        return "\(directory)/\(file)"
    }

    private static func place(of digest: [UInt8]) -> (directory: String, file: String) {
        let source = SHA256.hex(digest.prefix(sourceByteCount))
        let entry = digest.dropFirst(sourceByteCount).prefix(2 * policyByteCount)
        return ("\(source.prefix(2))/\(source)", SHA256.hex(entry))
    }

    /// Returns the path of a source's directory, relative to the layout directory (`v2`).
    static func directory(of source: SourceKey, under secret: DirectorySecret) -> String {
        let digest = SHA256.hex(secret.digest(of: source).prefix(sourceByteCount))
        return "\(digest.prefix(2))/\(digest)"
    }

    /// Returns the prefix that the file names of all entries under a policy have. See ``VariantKey/policy``.
    static func prefix(ofPolicy policy: String, under secret: DirectorySecret) -> String {
        SHA256.hex(secret.digest(ofPolicy: policy).prefix(policyByteCount))
    }

    /// The number of the shard that contains the entry, from 0 to 255.
    var shard: Int { Self.shard(of: directory) }

    /// Returns the number of the shard that contains a source's directory, from 0 to 255.
    /// - Parameter directory: The path of the directory, relative to the layout directory (`v2`).
    static func shard(of directory: String) -> Int { Int(directory.prefix(2), radix: 16) ?? 0 }

    /// Returns the name of a shard's directory, which has two hexadecimal digits.
    /// - Parameter number: The number of the shard, from 0 to 255.
    static func shardName(_ number: Int) -> String { hexadecimal(UInt8(truncatingIfNeeded: number)) }

    /// Returns the number of the shard to which a directory name belongs. Returns nil if it is not the name of a shard.
    static func shard(named name: String) -> Int? {
        isHexadecimal(name, digits: 2) ? Int(name, radix: 16) : nil
    }

    /// Returns the name of a tag's directory, given the digest of the tag.
    static func tag(_ digest: some Sequence<UInt8>) -> String {
        digest.reduce(into: "") { $0 += hexadecimal($1) }
    }

    /// Returns whether a name consists of 32 lower-case hexadecimal digits, like those of entries, sources and tags.
    static func isDigest(_ name: String) -> Bool { isHexadecimal(name, digits: 32) }

    /// Returns whether a name has the form of a ``DiskTagMarker``'s name: 64 lower-case hexadecimal digits.
    static func isMarker(_ name: String) -> Bool { isHexadecimal(name, digits: 64) }

    /// Returns a byte as two lower-case hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func isHexadecimal(_ name: String, digits: Int) -> Bool {
        let decimal = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        return name.utf8.count == digits && name.utf8.allSatisfy { decimal.contains($0) || letters.contains($0) }
    }
}

// MARK: - Files that are being written

extension DiskEntryName {
    private static let temporaryPrefix = ".calotype-"

    /// The number in the next temporary name. Begins at a random number, because an earlier process with the same ID,
    /// as is common in containers, may have left files behind.
    private static let counter = Atomic<UInt64>(UInt64.random(in: 0..<(1 << 48)))

    /// Returns a new name for a temporary file. No other process and no other call uses the same name.
    static func temporary() -> String {
        "\(temporaryPrefix)\(getpid())-\(counter.wrappingAdd(1, ordering: .relaxed).oldValue)"
    }

    /// Returns whether a name begins like the names that ``temporary()`` returns.
    static func isTemporary(_ name: String) -> Bool { name.utf8.starts(with: temporaryPrefix.utf8) }
}
