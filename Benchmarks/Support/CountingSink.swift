import CalotypeStandard
import Synchronization

/// Counts bytes and forgets them.
final class CountingSink: ByteSink {
    private let count = Atomic<Int>(0)

    /// How many there were.
    var byteCount: Int { count.load(ordering: .relaxed) }

    func begin(_ head: LoadHead) async throws {}

    func write(_ chunk: Data) async throws {
        count.wrappingAdd(chunk.count, ordering: .relaxed)
    }
}
