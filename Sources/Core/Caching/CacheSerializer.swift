/// A serializer that decides which bytes are stored for an image.
///
/// Called on the lane for encoding, once for each entry that is written, never under a lock.
public protocol CacheSerializer: Sendable {
    /// Returns the bytes to store. Return nil to use the default rule: an original is stored as received, and a variant
    /// is encoded, without loss or as JPEG.
    ///
    /// If this throws, nothing is stored under the key. The error is reported as an event, and the request continues.
    func data(for serialization: Serialization) throws -> Data?
}
