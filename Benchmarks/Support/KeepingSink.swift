import CalotypeStandard

/// Keeps the bytes.
final class KeepingSink: ByteSink {
    private let kept = Lock(Data())

    /// All that have come.
    var bytes: Data { kept.withLock { $0 } }

    func begin(_ head: LoadHead) async throws {}

    func write(_ chunk: Data) async throws {
        kept.withLock { $0.append(chunk) }
    }
}
