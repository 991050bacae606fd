/// The receiver of a loader's bytes.
public protocol ByteSink: Sendable {
    /// Takes what is known before the first byte. Throws when the image is refused, for example for its size.
    func begin(_ head: LoadHead) async throws
    /// Takes the next bytes; returns when there is room for more. Throws when no waiter wants the rest.
    func write(_ chunk: Data) async throws
    /// Takes all bytes at once, in place of writing them: they may be read when they are wanted, long after the load.
    /// Throws when no waiter wants them. Default: they are read, as urgently as anything, and written in pieces.
    func take(_ source: any ByteSource) async throws
    /// Takes what is known of the transfer itself, when it is over, however it ended. The last one counts. Default:
    /// nothing is done with it.
    func record(_ metrics: TransferMetrics)
}

extension ByteSink {
    public func take(_ source: any ByteSource) async throws {
        try await writePieces(of: source, for: Demand(.normal))
    }

    public func record(_ metrics: TransferMetrics) {}
}

/// Reads sources, so that a slow disk holds up no task.
private let readingLane = Lane(name: "ct-source", width: 4)
/// The most bytes read at once.
private let pieceByteCount = 1 << 20

extension ByteSink {
    /// Writes a source in pieces, each read when the one before it has been taken.
    /// - Parameter demand: The priority of the reading.
    func writePieces(of source: any ByteSource, for demand: Demand) async throws {
        for start in stride(from: 0, to: source.byteCount, by: pieceByteCount) {
            let count = min(pieceByteCount, source.byteCount - start)
            let piece = try await readingLane.run(for: demand, job: Job()) { _ in
                try source.bytes(at: start, count: count)
            }
            try await write(piece)
        }
    }
}
