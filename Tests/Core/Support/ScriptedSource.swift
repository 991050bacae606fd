import Calotype

/// A byte source that records its reads, and can report that it has changed.
final class ScriptedSource: ByteSource {
    private struct State {
        var reads: [Range<Int>] = []
        var hasChanged = false
    }

    static let change = ImageError(.loadFailed, stage: .load, message: "changed while it was read")

    let byteCount: Int
    private let data: Data
    private let state = Lock(State())

    /// - Parameters:
    ///   - data: The bytes.
    /// - claim: The declared number of bytes. Default: their actual number.
    init(_ data: Data, claiming claim: Int? = nil) {
        self.data = data
        byteCount = claim ?? data.count
    }

    /// The ranges of all reads, in order.
    var reads: [Range<Int>] { state.withLock { $0.reads } }

    /// Makes all later reads fail.
    func change() { state.withLock { $0.hasChanged = true } }

    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        let range = offset..<min(data.count, offset + memory.count)
        try state.withLock { state in
            state.reads.append(range)
            if state.hasChanged { throw Self.change }
        }
        memory.copyBytes(from: data[range])
        return range.count
    }
}
