import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What an entry of a ``DiskCache`` is called: `<2 digits>/<source>/<entry>` below the folder for this layout.
///
/// Names are digests, so that every text can be a key and none can lead out of the folder. A source is the first 16
/// bytes of the SHA-256 of its text, an entry those of the policy's length in bytes, a space, the policy, a zero byte
/// and the variant; both as 32 lower-case hexadecimal digits, the 2 digits being the first of the source's. Each source
/// has a folder, so that purging it is listing one folder. Should two keys ever have one name, reading finds the other
/// key in the file.
///
/// Beside the folders of its sources a shard has one for tags: `<2 digits>/tags/<tag>/<source><entry>` is an empty file
/// which says that an entry carries the tag, or once did. A tag's folder is the beginning of the SHA-256 of its text in
/// Unicode's form C.
///
/// A key keeps its name once it is known, since two digests cost as much as reading a small entry.
final class DiskEntryName: Sendable {
    /// The folder of this layout, so that another can stand beside it.
    static let layout = "v1"
    /// The name of the ``DiskLedger`` in it.
    static let ledger = "usage"
    /// The folder for tags in each shard.
    static let tags = "tags"

    /// The folder of the source, without a slash at either end.
    let folder: String
    /// The name of the file in it.
    let file: String
    /// Both: the path of the file below the folder of the layout.
    let path: String

    /// The name of the entry for a key.
    init(_ key: VariantKey) {
        folder = Self.folder(of: key.source)
        file = SHA256.hex(of: "\(key.policy.utf8.count) \(key.policy)\0\(key.variant)", byteCount: 16)
        path = "\(folder)/\(file)"
    }

    /// The folder of a source, without a slash at either end.
    static func folder(of source: SourceKey) -> String {
        let digest = SHA256.hex(of: source.text, byteCount: 16)
        return "\(digest.prefix(2))/\(digest)"
    }

    /// The number of the shard, from 0 to 255.
    var shard: Int { Self.shard(of: folder) }

    /// The number of the shard that a source's folder is in.
    static func shard(of folder: String) -> Int { Int(folder.prefix(2), radix: 16) ?? 0 }

    /// The name of the folder of a shard.
    static func shardName(_ number: Int) -> String { hexadecimal(UInt8(truncatingIfNeeded: number)) }

    /// The number of the shard whose folder has a name; nil when none has.
    static func shard(named name: String) -> Int? {
        isHexadecimal(name, digits: 2) ? Int(name, radix: 16) : nil
    }

    /// The name of the folder of a tag.
    static func tag(_ digest: some Sequence<UInt8>) -> String {
        digest.reduce(into: "") { $0 += hexadecimal($1) }
    }

    /// Whether this can be the name of a source's folder, of a tag's or of an entry.
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
