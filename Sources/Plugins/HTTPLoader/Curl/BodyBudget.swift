#if HTTP
import Synchronization

/// A memory budget for the bodies of a loader's transfers in progress. Thread-safe.
///
/// The first ``freeByteCount`` bytes of each body are not counted, so that small images still arrive while large ones
/// use the whole budget. A load whose body does not fit fails at once, because bodies that wait for memory could wait
/// for each other forever. Announced lengths are compared with the remaining memory but do not reserve it, because
/// otherwise a server could block other transfers by announcing a length.
final class BodyBudget: Sendable {
    /// The number of bytes of each body that are not counted: 1 MiB.
    static let freeByteCount = 1 << 20

    /// The number of bytes that are reserved for all bodies. Only the transfer thread increases it.
    private let takenByteCount = Atomic(0)

    /// Returns whether `byteCount` more bytes can be reserved within the limit. The free bytes of each body
    /// (``freeByteCount``) must not be included. Always true if `limit` is nil.
    func hasRoom(for byteCount: Int, within limit: Int?) -> Bool {
        guard let limit, byteCount > 0 else { return true }
        return byteCount <= limit - takenByteCount.load(ordering: .relaxed)
    }

    /// Reserves `byteCount` bytes until they are released by `giveBack`. The free bytes of each body
    /// (``freeByteCount``) must not be included. Returns false, and reserves nothing, if the bytes do not fit within
    /// the limit. Call this on the transfer thread.
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
