/// The originals that are being decoded: wanted by another request before they are stored, they are not loaded again.
///
/// Thread-safe.
final class OriginalsInUse: Sendable {
    private struct Use {
        var count = 0
        var original: Original?
    }

    private let uses = Lock<[TransferID: Use]>([:])

    /// Says that somebody is going to decode what a transfer brings.
    func begin(_ transfer: TransferID) {
        uses.withLock { $0[transfer, default: Use()].count += 1 }
    }

    /// Says that he has done so, and that what is to be stored of it is on its way.
    func end(_ transfer: TransferID) {
        uses.withLock { uses in
            uses[transfer]?.count -= 1
            if uses[transfer]?.count == 0 { uses[transfer] = nil }
        }
    }

    /// What the transfer brought, while somebody decodes it.
    func original(by transfer: TransferID) -> Original? {
        uses.withLock { $0[transfer]?.original }
    }

    /// Remembers what the transfer brought.
    func note(_ original: Original, by transfer: TransferID) {
        uses.withLock { $0[transfer]?.original = original }
    }
}
