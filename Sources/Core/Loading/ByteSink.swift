/// The receiver of a loader's bytes.
public protocol ByteSink: Sendable {
    /// Receives the facts that are known before the first byte. Throws if the image is refused, for example for its
    /// size.
    func begin(_ head: LoadHead) async throws
    /// Receives the next bytes. Returns when there is room for more. Throws if no waiter wants the rest.
    func write(_ chunk: Data) async throws
    /// Receives all bytes at once, in place of `write`. The sink may read them when they are needed, long after the
    /// load. Throws if no waiter wants them. Default: reads them with normal priority and writes them in pieces.
    func take(_ source: any ByteSource) async throws
    /// Receives the metrics of the transfer when it is over, however it ended. The last call counts. Default: ignores
    /// them.
    func record(_ metrics: TransferMetrics)
}

extension ByteSink {
    public func take(_ source: any ByteSource) async throws {
        try await writePieces(of: source, for: Demand(.normal))
    }

    public func record(_ metrics: TransferMetrics) {}
}

/// The threads that read sources, so that a slow disk blocks no task.
private let readingLane = Lane(name: "ct-source", width: 4)
/// The maximum number of bytes read at once.
private let pieceByteCount = 1 << 20

extension ByteSink {
    /// Writes a source in pieces. Each piece is read after the previous one has been accepted.
    /// - Parameter demand: The demand whose priority the reads have.
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
