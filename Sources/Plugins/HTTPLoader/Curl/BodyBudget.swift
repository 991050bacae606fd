#if HTTP
import Synchronization

/// The memory that the bodies of a loader's transfers take while they arrive.
///
/// The first ``freeByteCount`` bytes of each body are not counted, so that small images arrive while large ones take
/// all the room. A body without room fails at once: bodies that waited for each other's room would wait for ever.
/// Announced lengths are compared with the room that is left and take none of it: a server would only have to announce
/// a length to keep others from being served. Thread-safe.
final class BodyBudget: Sendable {
    /// The bytes of each body that always have room.
    static let freeByteCount = 1 << 20

    /// Becomes more on the thread of the transfers alone.
    private let takenByteCount = Atomic(0)

    /// Whether there is room for `byteCount` more counted bytes; always where there is no limit.
    func hasRoom(for byteCount: Int, within limit: Int?) -> Bool {
        guard let limit, byteCount > 0 else { return true }
        return byteCount <= limit - takenByteCount.load(ordering: .relaxed)
    }

    /// Takes room for `byteCount` counted bytes, until `giveBack`; false when there is too little. To be called on the
    /// thread.
    func take(_ byteCount: Int, within limit: Int?) -> Bool {
        guard hasRoom(for: byteCount, within: limit) else { return false }
        takenByteCount.add(byteCount, ordering: .relaxed)
        return true
    }

    /// Gives back room that was taken.
    func giveBack(_ byteCount: Int) {
        takenByteCount.subtract(byteCount, ordering: .relaxed)
    }
}
#endif
