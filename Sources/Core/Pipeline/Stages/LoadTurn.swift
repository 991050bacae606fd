import Synchronization

/// The load that a loader performs, with its place among the loads in progress. Thread-safe.
///
/// A loader that loads through the manager first gives its place back. Otherwise, waiting loaders could hold all
/// places, and the loads that they wait for would never begin.
final class LoadTurn: Sendable {
    /// The turn of the loader that runs in this task or has started this task; nil if there is none.
    @TaskLocal static var current: LoadTurn?

    private let transfer: TransferID
    private let gate: AsyncGate?
    private let waits: LoadWaits
    private let hasPlace = Atomic(true)
    /// Whether the load has ended. A task that the loader has started may outlive the load.
    private let isOver = Atomic(false)

    private init(of transfer: TransferID, at gate: AsyncGate?, among waits: LoadWaits) {
        self.transfer = transfer
        self.gate = gate
        self.waits = waits
    }

    /// Waits for a place at a gate, and then runs a loader.
    /// - Parameter gate: The gate, which is entered with the priority of `demand`; nil if the loader needs no place.
    static func run<Result: Sendable>(
        of transfer: TransferID, at gate: AsyncGate?, among waits: LoadWaits, for demand: Demand,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await gate?.enter(for: demand)
        let turn = LoadTurn(of: transfer, at: gate, among: waits)
        defer {
            turn.isOver.store(true, ordering: .releasing)
            turn.giveBack()
        }
        return try await $current.withValue(turn) { try await body() }
    }

    /// Lets another load run while this loader waits for a request to the same manager. The caller retains the result
    /// during the wait. Returns nil if the load is over, or if the request goes to another manager or uses only caches.
    ///
    /// Throws `loadFailed` if the request needs this load, directly or through other loads, because the loader and the
    /// request would wait for each other without end.
    func makeWay(for resolved: ResolvedRequest, among waits: LoadWaits) throws(ImageError) -> LoadWaits.Wait? {
        guard waits === self.waits, !isOver.load(ordering: .acquiring), !resolved.context[.fromCacheOnly] else {
            return nil
        }
        guard let wait = waits.begin(transfer, for: resolved.transfer) else {
            throw ImageError(
                .loadFailed, stage: .load,
                message: "its loader requests an image that waits for this load, or the URL that it is loading",
                advice: "request another URL in the loader, or set another `imageLoader`")
        }
        giveBack()
        return wait
    }

    private func giveBack() {
        if hasPlace.exchange(false, ordering: .relaxed) { gate?.leave() }
    }
}
