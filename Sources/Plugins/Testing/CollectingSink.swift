public import Calotype

/// Takes what a loader gives, and can refuse it or make it wait.
public final class CollectingSink: ByteSink {
    private struct State {
        var heads: [LoadHead] = []
        var chunks: [Data] = []
        var metrics: [TransferMetrics] = []
    }

    private let state = Lock(State())
    private let gate: Gate
    private let onHead: @Sendable (LoadHead) throws -> Void
    private let onChunk: @Sendable (_ count: Int) throws -> Void

    /// A sink.
    /// - Parameters:
    ///   - gate: Where each piece waits when it has been taken. Default: an open one.
    ///   - onHead: Called with what is known before the first byte; may throw to refuse it.
    ///   - onChunk: Called after each piece with the number of pieces so far; may throw to refuse the rest.
    public init(
        gate: Gate = Gate(isOpen: true), onHead: @escaping @Sendable (LoadHead) throws -> Void = { _ in },
        onChunk: @escaping @Sendable (_ count: Int) throws -> Void = { _ in }
    ) {
        self.gate = gate
        self.onHead = onHead
        self.onChunk = onChunk
    }

    /// The heads that the loader told, one for each time that it told one.
    public var heads: [LoadHead] { state.withLock { $0.heads } }
    /// The pieces so far.
    public var chunks: [Data] { state.withLock { $0.chunks } }
    /// All bytes so far.
    public var data: Data { chunks.reduce(into: Data()) { $0.append($1) } }
    /// The metrics that the loader told, one for each time that it told them.
    public var metrics: [TransferMetrics] { state.withLock { $0.metrics } }

    public func begin(_ head: LoadHead) async throws {
        state.withLock { $0.heads.append(head) }
        try onHead(head)
    }

    public func write(_ chunk: Data) async throws {
        let count = state.withLock { state -> Int in
            state.chunks.append(chunk)
            return state.chunks.count
        }
        try onChunk(count)
        try await gate.pass()
    }

    public func record(_ metrics: TransferMetrics) {
        state.withLock { $0.metrics.append(metrics) }
    }
}
