/// Decides which bytes are kept for an image.
///
/// Called on the lane for encoding, once for each entry that is written, never under a lock.
public protocol CacheSerializer: Sendable {
    /// The bytes to keep; nil to leave it to the default rule.
    ///
    /// What it throws is an event; the request goes on, and nothing is kept under the key.
    func data(for serialization: Serialization) throws -> Data?
}
