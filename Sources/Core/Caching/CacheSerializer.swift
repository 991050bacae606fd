/// A serializer that decides which bytes are stored for an image.
///
/// Called on the ``Lane`` for encoding, once for each image that requests are about to store, never under a lock. Not
/// called for ``ImageManager/store(_:data:for:in:)``, and not when a cached original is stored again after its source
/// has confirmed that the original is still valid.
public protocol CacheSerializer: Sendable {
    /// Returns the bytes to store. Return nil to use the default rule: an original is stored as received, and a variant
    /// is encoded, without loss or as JPEG.
    ///
    /// If this throws, no bytes are stored under the key. The error is reported as an event, and the request continues.
    func data(for serialization: Serialization) throws -> Data?
}
