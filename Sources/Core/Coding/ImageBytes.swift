/// The bytes of an image file, which may still be growing.
///
/// Append-only: whoever comes late reads from the beginning with a cursor of his own. Thread-safe.
public final class ImageBytes: Sendable {
    private struct State {
        var chunks: [Data] = []
        var byteCount = 0
        var isComplete = false
    }

    private let state: Lock<State>

    /// Bytes of which none is there yet.
    public init() {
        state = Lock(State())
    }

    /// All the bytes of a file.
    public init(_ data: Data) {
        state = Lock(State(chunks: [Self.rebased(data)], byteCount: data.count, isComplete: true))
    }

    /// How many bytes are there.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Whether the last byte is there.
    public var isComplete: Bool { state.withLock { $0.isComplete } }

    /// Adds bytes at the end.
    public func append(_ chunk: Data) {
        state.withLock { state in
            precondition(!state.isComplete, "bytes appended after the last one")
            guard !chunk.isEmpty else { return }
            state.chunks.append(Self.rebased(chunk))
            state.byteCount += chunk.count
        }
    }

    /// Says that no more bytes will come.
    public func finish() {
        state.withLock { $0.isComplete = true }
    }

    /// A slice counts from where it was cut; coders count from zero.
    private static func rebased(_ data: Data) -> Data {
        data.startIndex == 0 ? data : Data(data)
    }

    /// All bytes that are there, in one piece; indices begin at zero.
    ///
    /// Pieces are joined when they are first asked for, and stay joined.
    public var data: Data {
        state.withLock { state in
            if state.chunks.count > 1 {
                var joined = Data(capacity: state.byteCount)
                for chunk in state.chunks { joined.append(chunk) }
                state.chunks = [joined]
            }
            return state.chunks.first ?? Data()
        }
    }

    /// The first bytes, at most `count`; for looking at signatures without joining the pieces.
    public func head(_ count: Int) -> Data {
        state.withLock { state in
            var head = Data()
            for chunk in state.chunks where head.count < count { head.append(chunk.prefix(count - head.count)) }
            return head
        }
    }

    /// The next piece for a reader that has read `offset` bytes; nil when there is none yet, or none any more.
    public func chunk(at offset: Int) -> Data? {
        state.withLock { state in
            var start = 0
            for chunk in state.chunks {
                if offset < start + chunk.count { return Self.rebased(chunk.dropFirst(offset - start)) }
                start += chunk.count
            }
            return nil
        }
    }
}
