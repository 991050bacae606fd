import CalotypeStandard
import Synchronization

/// A sink that counts bytes and discards them.
final class CountingSink: ByteSink {
    private let count = Atomic<Int>(0)

    /// The number of received bytes.
    var byteCount: Int { count.load(ordering: .relaxed) }

    func begin(_ head: LoadHead) async throws {}

    func write(_ chunk: Data) async throws {
        count.wrappingAdd(chunk.count, ordering: .relaxed)
    }
}
