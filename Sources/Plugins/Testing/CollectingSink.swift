public import Calotype

/// A sink that collects the data of a loader. It can refuse data or delay the loader.
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

    /// Creates a sink.
    /// - Parameters:
    ///   - gate: The gate at which each call of `write` waits after it has recorded its chunk. Default: an open gate.
    ///   - onHead: A closure that is called with the head before the first byte. It may throw an error to refuse the
    ///     data.
    ///   - onChunk: A closure that is called after each chunk with the number of chunks so far. It may throw an error
    ///     to refuse further chunks.
    public init(
        gate: Gate = Gate(isOpen: true), onHead: @escaping @Sendable (LoadHead) throws -> Void = { _ in },
        onChunk: @escaping @Sendable (_ count: Int) throws -> Void = { _ in }
    ) {
        self.gate = gate
        self.onHead = onHead
        self.onChunk = onChunk
    }

    /// The heads that the loader has delivered.
    public var heads: [LoadHead] { state.withLock { $0.heads } }
    /// The chunks that the loader has delivered so far.
    public var chunks: [Data] { state.withLock { $0.chunks } }
    /// All bytes that the loader has delivered so far.
    public var data: Data { chunks.reduce(into: Data()) { $0.append($1) } }
    /// The metrics that the loader has delivered.
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
