import Calotype

/// Takes what a loader gives, and can do something after each piece.
final class CollectingSink: ByteSink {
    private struct State {
        var heads: [LoadHead] = []
        var chunks: [Data] = []
    }

    private let state = Lock(State())
    private let onHead: @Sendable (LoadHead) throws -> Void
    private let onChunk: @Sendable (_ count: Int) throws -> Void

    /// A sink.
    /// - Parameters:
    ///   - onHead: Called with what is known before the first byte; may throw to refuse it.
    ///   - onChunk: Called after each piece with the number of pieces so far; may throw to refuse the rest.
    init(
        onHead: @escaping @Sendable (LoadHead) throws -> Void = { _ in },
        onChunk: @escaping @Sendable (_ count: Int) throws -> Void = { _ in }
    ) {
        self.onHead = onHead
        self.onChunk = onChunk
    }

    /// What was known before the first byte, as often as it was told.
    var heads: [LoadHead] { state.withLock { $0.heads } }
    /// The pieces so far.
    var chunks: [Data] { state.withLock { $0.chunks } }
    /// All bytes so far.
    var data: Data { chunks.reduce(into: Data()) { $0.append($1) } }

    func begin(_ head: LoadHead) async throws {
        state.withLock { $0.heads.append(head) }
        try onHead(head)
    }

    func write(_ chunk: Data) async throws {
        let count = state.withLock { state -> Int in
            state.chunks.append(chunk)
            return state.chunks.count
        }
        try onChunk(count)
    }
}
