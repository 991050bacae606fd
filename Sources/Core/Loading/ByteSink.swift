/// The receiver of the bytes that a loader loads.
public protocol ByteSink: Sendable {
    /// Receives the facts about the response that are known before the first byte. Throws if the image is refused, for
    /// example for its size.
    func begin(_ head: LoadHead) async throws
    /// Receives the next bytes, and returns when the sink has room for more. Throws if the remaining bytes are not
    /// needed, for example because the image is refused or the request was cancelled.
    func write(_ chunk: Data) async throws
    /// Receives a source from which the sink can read all bytes. A loader calls this method instead of `write`. The
    /// sink may read the source long after the load has ended. Throws if the bytes are not needed.
    ///
    /// Default: reads the source with normal priority, and passes it to `write` in pieces.
    func take(_ source: any ByteSource) async throws
    /// Receives the metrics of the transfer after its end, even if the transfer failed or was cancelled. If the method
    /// is called several times, the last metrics count. Default: ignores the metrics.
    func record(_ metrics: TransferMetrics)
}

extension ByteSink {
    public func take(_ source: any ByteSource) async throws {
        try await writePieces(of: source, for: Demand(.normal))
    }

    public func record(_ metrics: TransferMetrics) {}
}

/// The threads that read sources, so that a slow disk does not block the threads of Swift tasks.
private let readingLane = Lane(name: "ct-source", width: 4)
/// The maximum number of bytes that are read at once: 1 MiB.
private let pieceByteCount = 1 << 20

extension ByteSink {
    /// Passes the bytes of a source to `write` in pieces. The next piece is read after `write` has returned.
    /// - Parameter demand: The priority of the reads. It can change while a read waits.
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
