/// The originals that are being decoded. Until an original is stored, other requests take it from here instead of
/// loading it again. Thread-safe.
///
/// An original is kept until all decodes that began before it arrived have ended. A later decode may use the original,
/// but does not keep it longer, so that a series of requests does not use stale bytes forever.
final class OriginalsInUse: Sendable {
    private struct Use {
        /// The number of unfinished decodes that began before the original arrived.
        var holderCount = 0
        var original: Original?

        /// Counts a new decode. Returns false, and does not count the decode, if the original has already arrived.
        mutating func begin() -> Bool {
            guard original == nil else { return false }
            holderCount += 1
            return true
        }
    }

    private let uses = Lock<[TransferID: Use]>([:])

    /// Begins a decode of the result of a transfer.
    /// - Returns: Whether the original is kept for this decode. If so, the caller must call `end(_:)` after the decode.
    func begin(_ transfer: TransferID) -> Bool {
        uses.withLock { $0[transfer, default: Use()].begin() }
    }

    /// Ends a decode for which ``begin(_:)`` returned true. The original is released when the last such decode ends.
    func end(_ transfer: TransferID) {
        uses.withLock { uses in
            guard let index = uses.index(forKey: transfer) else { return }
            uses.values[index].holderCount -= 1
            if uses.values[index].holderCount == 0 { uses.remove(at: index) }
        }
    }

    /// Returns the result of a transfer while it is being decoded; nil otherwise.
    func original(by transfer: TransferID) -> Original? {
        uses.withLock { $0[transfer]?.original }
    }

    /// Keeps the result of a transfer while it is being decoded. It is kept without its reservation in
    /// ``Pipeline/undecoded``, because its decode may have to wait for decodes that have a reservation.
    func note(_ original: Original, by transfer: TransferID) {
        let kept = original.withoutReservation
        uses.withLock { $0[transfer]?.original = kept }
    }
}
