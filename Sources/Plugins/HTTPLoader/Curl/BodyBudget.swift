#if HTTP
import Synchronization

/// A memory budget that the response bodies of all loads of a loader share. Thread-safe.
///
/// The first ``freeByteCount`` bytes of each body are not counted, so that small images still arrive while large ones
/// use the whole budget. A load whose body does not fit fails at once, because bodies that wait for memory could wait
/// for each other forever. Announced lengths reserve no memory, so that a server cannot block other transfers.
final class BodyBudget: Sendable {
    /// The number of bytes of each body that are not counted: 1 MiB.
    static let freeByteCount = 1 << 20

    /// The number of bytes that are reserved for all bodies. Only the transfer thread increases it.
    private let takenByteCount = Atomic(0)

    /// Returns whether more bytes fit within the limit. Always true if `limit` is nil.
    /// - Parameter byteCount: The number of bytes, without the first ``freeByteCount`` bytes of a body.
    func hasRoom(for byteCount: Int, within limit: Int?) -> Bool {
        guard let limit, byteCount > 0 else { return true }
        return byteCount <= limit - takenByteCount.load(ordering: .relaxed)
    }

    /// Reserves bytes until `giveBack` releases them. Returns false, and reserves nothing, if the bytes do not fit
    /// within the limit. Call this on the transfer thread.
    /// - Parameter byteCount: The number of bytes, without the first ``freeByteCount`` bytes of a body.
    func take(_ byteCount: Int, within limit: Int?) -> Bool {
        guard hasRoom(for: byteCount, within: limit) else { return false }
        takenByteCount.add(byteCount, ordering: .relaxed)
        return true
    }

    /// Releases reserved bytes.
    func giveBack(_ byteCount: Int) {
        takenByteCount.subtract(byteCount, ordering: .relaxed)
    }
}
#endif
