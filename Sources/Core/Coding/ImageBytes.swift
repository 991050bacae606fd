/// The bytes of an image file, which may still be arriving, or not be in memory at all.
///
/// Bytes are appended, and never removed, so that a reader can begin late and still read from the beginning, with its
/// own offset. Thread-safe.
///
/// The bytes of a ``ByteSource`` are read when they are asked for, on the calling thread, which blocks. If reading
/// fails, bytes are missing, and ``failure`` says why: check it after using the bytes. Prefer `chunk(at:)` to `data`,
/// which takes memory for all bytes.
public final class ImageBytes: Sendable {
    private struct State {
        /// The bytes in one piece. Joining separate pieces after the last one has arrived would need twice the memory.
        var data = Data()
        /// The source of the bytes; nil if there is none, or once all its bytes are in memory.
        var source: (any ByteSource)?
        var byteCount = 0
        /// The length, in bytes, up to which `data` may grow before the system is asked for memory again.
        var grantedByteCount = MemoryReserve.smallest
        var isComplete = false
        var failure: ImageError?
    }

    /// The maximum length, in bytes, of a piece that `chunk(at:)` copies or reads: 256 KiB.
    private static let pieceByteCount = 256 << 10

    private let state: Lock<State>
    private let pieceByteCount: Int
    /// The lock that is held while all bytes of a source are read, so that concurrent readers wait instead of reading
    /// the bytes again.
    ///
    /// The code of the source runs while the lock is held, and must not call methods of this object.
    private let gathering = Lock(())

    /// Creates bytes of which none has arrived yet.
    public init() {
        state = Lock(State())
        pieceByteCount = Self.pieceByteCount
    }

    /// Creates the complete bytes of a file.
    public init(_ data: Data) {
        state = Lock(State(data: Self.rebased(data), byteCount: data.count, isComplete: true))
        pieceByteCount = Self.pieceByteCount
    }

    /// Creates the bytes of a source, which are read on demand.
    public convenience init(_ source: any ByteSource) {
        self.init(source, pieceByteCount: Self.pieceByteCount)
    }

    /// Creates the bytes of a source, which are read on demand.
    /// - Parameter pieceByteCount: The maximum number of bytes that `chunk(at:)` reads at once.
    package init(_ source: any ByteSource, pieceByteCount: Int) {
        state = Lock(State(source: source, byteCount: source.byteCount, isComplete: true))
        self.pieceByteCount = pieceByteCount
    }

    /// The number of bytes that are available.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Whether the last byte is available.
    public var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The error of the first failed read from the source of the bytes; nil if no read has failed. After a failure,
    /// nothing more is read, and this error stays.
    public var failure: ImageError? { state.withLock { $0.failure } }

    /// Whether each request for bytes reads them from a source, which blocks.
    var isReadWhenAsked: Bool { state.withLock { $0.source != nil } }

    /// The memory that the bytes take, in bytes; 0 if they are read on demand.
    var memoryByteCount: Int { isReadWhenAsked ? 0 : byteCount }

    /// Adds bytes at the end.
    ///
    /// Throws `outOfMemory` if the system is short of memory; then nothing is added.
    public func append(_ chunk: Data) throws(ImageError) {
        try state.withLock { (state: inout State) throws(ImageError) -> Void in
            precondition(!state.isComplete, "bytes were appended after the last ones")
            guard !chunk.isEmpty else { return }
            try Self.grant(state.data.count + chunk.count, to: &state)
            if state.data.isEmpty { state.data = Self.rebased(chunk) } else { state.data.append(chunk) }
            state.byteCount = state.data.count
        }
    }

    /// Throws `outOfMemory` if the system lacks memory for twice `byteCount` bytes, because `Data` traps if it cannot
    /// grow. No further checks are made up to that size.
    private static func grant(_ byteCount: Int, to state: inout State) throws(ImageError) {
        guard byteCount > state.grantedByteCount else { return }
        guard MemoryReserve.allows(2 * byteCount) else { throw .noMemory(forBytes: byteCount, at: .load) }
        state.grantedByteCount = 2 * byteCount
    }

    /// Marks the bytes as complete.
    public func finish() {
        state.withLock { $0.isComplete = true }
    }

    /// Sets the source of all bytes, and marks the bytes as complete. No bytes may have been appended before.
    func finish(with source: any ByteSource, byteCount: Int) {
        state.withLock { state in
            precondition(!state.isComplete && state.byteCount == 0, "a source was set after other bytes")
            state.source = source
            state.byteCount = byteCount
            state.isComplete = true
        }
    }

    /// Returns the data with indices that start at zero, as coders expect.
    private static func rebased(_ data: Data) -> Data {
        data.startIndex == 0 ? data : Data(data)
    }

    /// All bytes that are available, in one piece; indices begin at zero.
    ///
    /// The bytes of a source are read when this property is first used, and kept from then on. If reading fails, the
    /// data is empty, and ``failure`` says why.
    public var data: Data {
        if let data = state.withLock({ $0.source == nil ? $0.data : nil }) { return data }
        return gathering.withLock { _ in
            let (data, source, byteCount) = state.withLock { ($0.data, $0.source, $0.byteCount) }
            guard let source, let read = read(source, at: 0, count: byteCount) else { return data }
            state.withLock { ($0.source, $0.data) = (nil, read) }
            return read
        }
    }

    /// Returns the first bytes, at most `count`, for example to compare signatures. Empty if they cannot be read.
    public func head(_ count: Int) -> Data {
        let (head, source) = state.withLock { (Data($0.data.prefix(count)), $0.source) }
        guard let source else { return head }
        return read(source, at: 0, count: min(count, byteCount)) ?? Data()
    }

    /// Calls `body` with the first bytes, at most `count`. Does not copy them if all bytes of the file are in memory.
    func withHead<Made>(_ count: Int, _ body: (RawSpan) -> Made) -> Made {
        let whole = state.withLock { $0.isComplete && $0.source == nil ? $0.data : nil }
        guard let whole else { return body(head(count).bytes) }
        return body(whole.bytes.extracting(first: count))
    }

    /// Returns the next piece for a reader that has read `offset` bytes. Returns nil if no byte is available there:
    /// none has arrived yet, the file has ended, or reading fails.
    ///
    /// At offset 0, a complete file that is in memory is returned as one piece. Bytes that are read from a source are
    /// not kept.
    public func chunk(at offset: Int) -> Data? {
        let (piece, source) = state.withLock { state -> (Data?, (any ByteSource)?) in
            guard offset < state.byteCount else { return (nil, nil) }
            guard state.source == nil else { return (nil, state.source) }
            guard offset > 0 || !state.isComplete else { return (state.data, nil) }
            // A copy: if a reader shared the storage, the next append would copy all bytes.
            return (Data(state.data[offset...].prefix(pieceByteCount)), nil)
        }
        guard let source else { return piece }
        return read(source, at: offset, count: min(pieceByteCount, byteCount - offset))
    }

    /// Returns all bytes. Throws ``failure`` if some could not be read.
    func whole() throws(ImageError) -> Data {
        let data = data
        if let failure { throw failure }
        return data
    }

    /// Returns bytes of a source. Returns nil if this read or an earlier one has failed.
    private func read(_ source: any ByteSource, at offset: Int, count: Int) -> Data? {
        guard failure == nil else { return nil }
        do {
            return try source.bytes(at: offset, count: count)
        } catch {
            let error = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, message: "could not be read",
                advice: "check the source, or report the error to the loader's author")
            return state.withLock { state in
                // Another thread may have read all bytes meanwhile, before the source failed.
                guard state.source == nil else {
                    state.failure = state.failure ?? error
                    return nil
                }
                return Data(state.data[offset...].prefix(count))
            }
        }
    }
}
