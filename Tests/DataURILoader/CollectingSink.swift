import Calotype

/// Takes what a loader gives.
final class CollectingSink: ByteSink {
    private struct State {
        var heads: [LoadHead] = []
        var chunks: [Data] = []
    }

    private let state = Lock(State())
    private let onHead: @Sendable (LoadHead) throws -> Void

    /// A sink.
    /// - Parameter onHead: Called with what is known before the first byte; may throw to refuse it.
    init(onHead: @escaping @Sendable (LoadHead) throws -> Void = { _ in }) {
        self.onHead = onHead
    }

    /// What was known before the first byte, as often as it was told.
    var heads: [LoadHead] { state.withLock { $0.heads } }
    /// The pieces so far.
    var chunks: [Data] { state.withLock { $0.chunks } }

    func begin(_ head: LoadHead) async throws {
        state.withLock { $0.heads.append(head) }
        try onHead(head)
    }

    func write(_ chunk: Data) async throws {
        state.withLock { $0.chunks.append(chunk) }
    }
}
