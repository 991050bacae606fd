import Synchronization

/// The turn of a loader: the request that it loads, and its place among the loads in progress.
///
/// A loader may load through the manager. It gives its place back when it begins to: otherwise requests that wait for a
/// load could hold all places that the loads need which they wait for. Thread-safe.
final class LoadTurn: Sendable {
    /// The turn of the loader that runs in this task or has begun it; nil if there is none.
    @TaskLocal static var current: LoadTurn?

    private let transfer: TransferID
    private let gate: AsyncGate?
    private let waits: LoadWaits
    private let hasPlace = Atomic(true)
    /// A task that the loader has begun may outlive its load.
    private let isOver = Atomic(false)

    private init(of transfer: TransferID, at gate: AsyncGate?, among waits: LoadWaits) {
        self.transfer = transfer
        self.gate = gate
        self.waits = waits
    }

    /// Runs a loader in its turn.
    /// - Parameters:
    ///   - transfer: What it loads.
    ///   - gate: Where it waits for a place, as urgently as `demand` says; nil when it needs none.
    ///   - waits: Those of its manager.
    ///   - body: Calls the loader.
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

    /// Makes way for a load by the same manager that the loader of this turn is going to wait for, as long as what is
    /// returned is held; nil if it waits for nothing.
    ///
    /// Throws where that waits for the load of this turn, or is it: neither would ever end.
    func makeWay(for resolved: ResolvedRequest, among waits: LoadWaits) throws(ImageError) -> LoadWaits.Wait? {
        guard waits === self.waits, !isOver.load(ordering: .acquiring), !resolved.context[.fromCacheOnly] else {
            return nil
        }
        guard let wait = waits.begin(transfer, for: resolved.transfer) else {
            throw ImageError(
                .loadFailed, stage: .load,
                message: "its loader asks the manager for what waits for it, or for what it is loading itself",
                advice: "let it ask for another URL, or with another `imageLoader`")
        }
        giveBack()
        return wait
    }

    private func giveBack() {
        if hasPlace.exchange(false, ordering: .relaxed) { gate?.leave() }
    }
}
