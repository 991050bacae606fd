/// A reversible transformation of entries, such as compression or encryption. A ``DiskCache`` applies it before it
/// writes entries and undoes it when it reads them.
///
/// The transform is applied to the bytes, attributes, extended data and tags of an entry. It is also applied to the
/// digests of the entry's key, and to the key in the form in which messages show it, without secrets. It is not applied
/// to the size and the dates of the entry, or to the digests of its tags. Authenticated encryption therefore detects
/// every change to the contents of an entry. It also detects an entry that was moved to the key of another entry. It
/// does not detect that a user with write access to the directory has put back an earlier version of an entry, or has
/// changed its dates. An example:
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
/// The methods are called from many threads at once, and may block.
public protocol DataTransform: Sendable {
    /// A name that identifies the kind of transform and, for encryption, the key, such as `zstd` or `aes-gcm/key-7`.
    /// The name is written unencrypted, and must not be empty.
    ///
    /// Entries that were written with another identity, or without a transform, are misses, but they do not count as
    /// damaged. They remain until they are replaced or trimmed. Change the identity with every key and with every
    /// change of the format.
    var identity: String { get }

    /// Returns the bytes to write in place of `bytes`.
    func encode(_ bytes: Data) throws -> Data

    /// Returns the bytes that were passed to `encode`. Throws if `bytes` was not written by `encode`; the entry is then
    /// removed, and loaded again.
    ///
    /// A checksum has already excluded accidental damage. But a user with write access to the directory could forge
    /// bytes with a matching checksum, so a decoder of compressed bytes must limit its output.
    func decode(_ bytes: Data) throws -> Data
}
