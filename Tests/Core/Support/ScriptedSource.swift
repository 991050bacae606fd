import Calotype

/// Bytes that are read as those of a file are: it is known what was read, and they can turn out to have changed.
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
    ///   - claim: How many it says there are. Default: as many as there are.
    init(_ data: Data, claiming claim: Int? = nil) {
        self.data = data
        byteCount = claim ?? data.count
    }

    /// What was read, as often as it was, in order.
    var reads: [Range<Int>] { state.withLock { $0.reads } }

    /// Makes each read from now on fail.
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
