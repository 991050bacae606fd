/// The originals that are being decoded: wanted by another request before they are stored, they are not loaded again.
///
/// An original is kept for its decodes, and for requests that came before it was there, which may have another copy
/// from a cache that turns out to be damaged. A later request may use it, but does not prolong its time: otherwise
/// bytes could stay the same for as long as requests keep coming. Thread-safe.
final class OriginalsInUse: Sendable {
    private struct Use {
        /// The number of decodes that began before the original was there and have not ended. Until they have, it is
        /// kept.
        var holderCount = 0
        var original: Original?

        /// Adds a decode, unless it comes too late.
        mutating func begin() -> Bool {
            guard original == nil else { return false }
            holderCount += 1
            return true
        }
    }

    private let uses = Lock<[TransferID: Use]>([:])

    /// Begins a decode of what a transfer brings.
    /// - Returns: Whether the original is kept for this decode, which then has to end.
    func begin(_ transfer: TransferID) -> Bool {
        uses.withLock { $0[transfer, default: Use()].begin() }
    }

    /// Ends a decode whose result is about to be stored.
    func end(_ transfer: TransferID) {
        uses.withLock { uses in
            guard let index = uses.index(forKey: transfer) else { return }
            uses.values[index].holderCount -= 1
            if uses.values[index].holderCount == 0 { uses.remove(at: index) }
        }
    }

    /// Returns the original that the transfer brought, while it is being decoded.
    func original(by transfer: TransferID) -> Original? {
        uses.withLock { $0[transfer]?.original }
    }

    /// Remembers what the transfer brought, but not its place among those that wait to be decoded, since a decode may
    /// still have to wait for others of these.
    func note(_ original: Original, by transfer: TransferID) {
        let kept = original.withoutPlace
        uses.withLock { $0[transfer]?.original = kept }
    }
}
