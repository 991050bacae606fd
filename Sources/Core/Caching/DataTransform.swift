/// A reversible transformation of entries, such as compression or encryption, that a ``DiskCache`` applies before it
/// writes them and undoes when it reads them.
///
/// Everything of an entry goes through it (its bytes, key, attributes, extended data and tags) but its size, its dates
/// and digests of its tags. So an authenticated encryption also vouches that an entry lies under its own key:
///
/// ```swift
/// import Crypto  // swift-crypto
///
/// struct SealingTransform: DataTransform {
///     let identity = "aes-gcm/key-7"
///     let key: SymmetricKey
///
///     func encode(_ bytes: Data) throws -> Data {
///         let box = try AES.GCM.seal(bytes, using: key)
///         return box.nonce + box.ciphertext + box.tag
///     }
///     func decode(_ bytes: Data) throws -> Data { try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key) }
/// }
/// ```
///
/// Called from many threads at once, where blocking is allowed.
public protocol DataTransform: Sendable {
    /// The kind of transform and, for encryption, which key: `zstd`, `aes-gcm/key-7`. Written in clear; never empty.
    ///
    /// Entries written with another identity, or without a transform, are misses and not damage: they stay until they
    /// are replaced or trimmed. So change it with every key and with every change of the format.
    var identity: String { get }

    /// Returns the bytes to write for some bytes.
    func encode(_ bytes: Data) throws -> Data

    /// The bytes that something was written for. Throws when it was not written by `encode`: the entry is removed, and
    /// loaded again.
    ///
    /// The checksum excludes accidental damage. A user with write access to the directory could make both fit, so a
    /// decoder of compressed bytes limits its output.
    func decode(_ bytes: Data) throws -> Data
}
