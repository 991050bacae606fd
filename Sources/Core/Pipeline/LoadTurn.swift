import Synchronization

/// What a loader is doing for the manager: of what it is asked, and its place among the loads under way.
///
/// A loader may load through a manager. It gives its place back when it begins to: otherwise those who wait for a load
/// could hold all places that the loads need which they wait for. Thread-safe.
final class LoadTurn: Sendable {
    /// That of the loader which runs in this task; nil where none does.
    @TaskLocal static var current: LoadTurn?

    private let transfer: TransferID
    private let gate: AsyncGate?
    private let hasPlace = Atomic(true)

    /// - Parameter gate: Where it has a place; nil for nowhere.
    private init(of transfer: TransferID, at gate: AsyncGate?) {
        self.transfer = transfer
        self.gate = gate
    }

    /// Runs a loader in its turn.
    /// - Parameters:
    ///   - transfer: What it loads.
    ///   - gate: Where it waits for a place, as urgently as `interest` says; nil when it needs none.
    ///   - body: Calls the loader.
    static func run<Result: Sendable>(
        of transfer: TransferID, at gate: AsyncGate?, for interest: Interest,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await gate?.enter(for: interest)
        let turn = LoadTurn(of: transfer, at: gate)
        defer { turn.giveBack() }
        return try await $current.withValue(turn) { try await body() }
    }

    /// Makes way for a load that the loader of this turn is going to wait for.
    ///
    /// Throws where that is the very load that it is doing, which would wait for itself for ever.
    func makeWay(for resolution: Resolution) throws(ImageError) {
        guard resolution.transfer != transfer || resolution.context[.fromCacheOnly] else {
            throw ImageError(
                .loadFailed, stage: .load, message: "its loader asks the manager for what it is loading itself",
                advice: "let it ask for another URL, or with another `imageLoader`")
        }
        giveBack()
    }

    private func giveBack() {
        if hasPlace.exchange(false, ordering: .relaxed) { gate?.leave() }
    }
}
