#if HTTP
import Synchronization

/// A memory budget for the bodies of a loader's transfers in progress.
///
/// The first ``freeByteCount`` bytes of each body are not counted, so that small images still arrive while large ones
/// take all the room. A body without room fails at once, because bodies that wait for each other could wait forever.
/// Announced lengths are only compared with the remaining room. They reserve none of it: otherwise a server could block
/// others by announcing a length. Thread-safe.
final class BodyBudget: Sendable {
    /// The number of bytes of each body that are not counted.
    static let freeByteCount = 1 << 20

    /// The number of bytes taken. Only the transfer thread increases it.
    private let takenByteCount = Atomic(0)

    /// Returns whether there is room for `byteCount` more counted bytes; always true without a limit.
    func hasRoom(for byteCount: Int, within limit: Int?) -> Bool {
        guard let limit, byteCount > 0 else { return true }
        return byteCount <= limit - takenByteCount.load(ordering: .relaxed)
    }

    /// Takes room for `byteCount` counted bytes until `giveBack`. Returns false if there is too little. Call this on
    /// the transfer thread.
    func take(_ byteCount: Int, within limit: Int?) -> Bool {
        guard hasRoom(for: byteCount, within: limit) else { return false }
        takenByteCount.add(byteCount, ordering: .relaxed)
        return true
    }

    /// Returns taken room to the budget.
    func giveBack(_ byteCount: Int) {
        takenByteCount.subtract(byteCount, ordering: .relaxed)
    }
}
#endif
