/// The originals that are being decoded: wanted by another request before they are stored, they are not loaded again.
///
/// One is kept for those who decode it, and for those who came before it was there. Who comes later may take it, but
/// does not prolong its time: else bytes could stay the same for as long as somebody always wants them. Thread-safe.
final class OriginalsInUse: Sendable {
    private struct Use {
        /// Those who have begun before the original was there, and have not ended.
        var holders: Set<Int> = []
        var original: Original?
    }

    private struct State {
        var uses: [TransferID: Use] = [:]
        var nextHolder = 0
    }

    private let state = Lock(State())

    /// Says that somebody is going to decode what a transfer brings. Returns what `end` takes.
    func begin(_ transfer: TransferID) -> Int {
        state.withLock { state in
            state.nextHolder += 1
            if state.uses[transfer]?.original == nil {
                state.uses[transfer, default: Use()].holders.insert(state.nextHolder)
            }
            return state.nextHolder
        }
    }

    /// Says that he has done so, and that what is to be stored of it is on its way.
    func end(_ transfer: TransferID, _ holder: Int) {
        state.withLock { state in
            state.uses[transfer]?.holders.remove(holder)
            if state.uses[transfer]?.holders.isEmpty == true { state.uses[transfer] = nil }
        }
    }

    /// What the transfer brought, while somebody decodes it.
    func original(by transfer: TransferID) -> Original? {
        state.withLock { $0.uses[transfer]?.original }
    }

    /// Remembers what the transfer brought; not its place among those that wait to be decoded, since who is going to
    /// decode it may still have to wait for others of these.
    func note(_ original: Original, by transfer: TransferID) {
        let kept = original.withoutPlace
        state.withLock { $0.uses[transfer]?.original = kept }
    }
}
