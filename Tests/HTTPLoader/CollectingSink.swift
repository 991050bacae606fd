#if HTTP
import Calotype
import CalotypeTesting

/// Takes what a loader gives, piece by piece at a gate.
final class CollectingSink: ByteSink {
    private struct State {
        var heads: [LoadHead] = []
        var data = Data()
        var metrics: [TransferMetrics] = []
    }

    private let state = Lock(State())
    private let gate: Gate

    /// A sink; `gate` is where each piece waits when it has been taken.
    init(gate: Gate = Gate(isOpen: true)) {
        self.gate = gate
    }

    /// What was known before the first byte, as often as it was told.
    var heads: [LoadHead] { state.withLock { $0.heads } }
    /// All bytes so far.
    var data: Data { state.withLock { $0.data } }
    /// What was known of the transfer, as often as it was told.
    var metrics: [TransferMetrics] { state.withLock { $0.metrics } }

    func begin(_ head: LoadHead) async throws {
        state.withLock { $0.heads.append(head) }
    }

    func write(_ chunk: Data) async throws {
        state.withLock { $0.data.append(chunk) }
        try await gate.pass()
    }

    func record(_ metrics: TransferMetrics) {
        state.withLock { $0.metrics.append(metrics) }
    }
}
#endif
