import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file name of an entry of a ``DiskCache``: `<2 digits>/<source>/<entry>` below the directory for this layout.
///
/// Names are digests under the ``DirectorySecret``, so that every text can be a key, none can lead out of the
/// directory, and nobody without the secret can tell what an entry is of. A source is the first 16 bytes of the digest
/// of its text, an entry the first 8 of that of its policy and the first 8 of that of policy and variant; both as 32
/// lower-case hexadecimal digits, the 2 digits being the first of the source's. Each source has a directory, so that
/// removing it is listing one directory, and the entries of a policy are those whose names begin alike. Should two keys
/// ever have one name, reading finds the rest of the other's digest in the file.
///
/// A digest is the HMAC with SHA-256 of `source`, `policy`, `entry` or `tag`, a zero byte and the text, where the text
/// of an entry is the policy's length in bytes, a space, the policy, a zero byte and the variant.
///
/// Beside the directories of its sources a shard has one for tags: `<2 digits>/tags/<tag>/<source><entry>` is an empty
/// file which says that an entry carries the tag, or once did. A tag's directory is the first 16 bytes of the digest of
/// its text in Unicode's form C.
///
/// A key keeps its name once it is known, since two digests cost as much as reading a small entry.
final class DiskEntryName: Sendable {
    /// The directory of this layout in the directory that a cache was given. Another layout has another directory
    /// beside it, so that neither takes the other's files for its own.
    static let layout = "v2"
    /// The name of the ``DiskLedger`` in it.
    static let ledger = "usage"
    /// The name of the file with the ``DirectorySecret``.
    static let secret = "secret"
    /// The directory for tags in each shard.
    static let tags = "tags"
    /// The bytes of all parts of a digest together: 16 of the source, 8 of the policy, 32 of the entry.
    static let digestByteCount = sourceByteCount + policyByteCount + 32

    private static let sourceByteCount = 16
    private static let policyByteCount = 8
    /// The most names of a key that are kept: that in the cache's own directory, and those in read-only directories.
    private static let mostKept = 4

    /// The secret that keys the digests.
    let secret: DirectorySecret
    /// The digests of source, policy and entry, more of them than the name has.
    let digest: [UInt8]
    /// The directory of the source, without a slash at either end.
    let directory: String
    /// The name of the file in it.
    let file: String
    /// Both: the path of the file below the directory of the layout.
    let path: String
    /// The name of the same key under another secret.
    private let next = AtomicLazyReference<DiskEntryName>()

    /// The name of the entry for a key.
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

    /// The name of the key that this is a name of, under whatever secret.
    /// - Parameter number: How many names of the key are known to be others.
    func name(of key: VariantKey, under secret: DirectorySecret, after number: Int = 1) -> DiskEntryName {
        if self.secret == secret { return self }
        guard number < Self.mostKept else { return DiskEntryName(key, under: secret) }
        if let next = next.load() { return next.name(of: key, under: secret, after: number + 1) }
        let made = DiskEntryName(key, under: secret)
        let kept = next.storeIfNil(made)
        return kept.secret == secret ? kept : made
    }

    /// The path below the directory of the layout of the entry that has a digest; nil for what is no digest.
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

    /// The directory of a source, without a slash at either end.
    static func directory(of source: SourceKey, under secret: DirectorySecret) -> String {
        let digest = SHA256.hex(secret.digest(of: source).prefix(sourceByteCount))
        return "\(digest.prefix(2))/\(digest)"
    }

    /// The prefix of the names of the files of a policy.
    static func prefix(ofPolicy policy: String, under secret: DirectorySecret) -> String {
        SHA256.hex(secret.digest(ofPolicy: policy).prefix(policyByteCount))
    }

    /// The number of the shard, from 0 to 255.
    var shard: Int { Self.shard(of: directory) }

    /// The number of the shard that a source's directory is in.
    static func shard(of directory: String) -> Int { Int(directory.prefix(2), radix: 16) ?? 0 }

    /// The name of the directory of a shard.
    static func shardName(_ number: Int) -> String { hexadecimal(UInt8(truncatingIfNeeded: number)) }

    /// The number of the shard whose directory has a name; nil when none has.
    static func shard(named name: String) -> Int? {
        isHexadecimal(name, digits: 2) ? Int(name, radix: 16) : nil
    }

    /// The name of the directory of a tag.
    static func tag(_ digest: some Sequence<UInt8>) -> String {
        digest.reduce(into: "") { $0 += hexadecimal($1) }
    }

    /// Whether this can be the name of a source's directory, of a tag's or of an entry.
    static func isDigest(_ name: String) -> Bool { isHexadecimal(name, digits: 32) }

    /// Whether this can be the name of the file that says which entry carries a tag.
    static func isMarker(_ name: String) -> Bool { isHexadecimal(name, digits: 64) }

    /// A byte as two lower-case digits.
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

    /// Begins anywhere: in containers every process is number 1, and must not meet what one before it left behind.
    private static let counter = Atomic<UInt64>(UInt64.random(in: 0..<(1 << 48)))

    /// A name for a file that is being written, which no other process and no other call uses.
    static func temporary() -> String {
        "\(temporaryPrefix)\(getpid())-\(counter.wrappingAdd(1, ordering: .relaxed).oldValue)"
    }

    /// Whether `temporary()` can have made this name.
    static func isTemporary(_ name: String) -> Bool { name.utf8.starts(with: temporaryPrefix.utf8) }
}
