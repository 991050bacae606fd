package import Calotype

/// A byte source that records its reads, and can be unreadable from a position on.
package final class PieceSource: ByteSource {
    private struct Reads {
        var mostAtOnce = 0
        var end = 0
    }

    private let data: Data
    private let readableCount: Int
    private let onRead: @Sendable (_ end: Int) -> Void
    private let reads = Lock(Reads())

    /// Creates a source.
    /// - Parameters:
    ///   - readableCount: The number of bytes that can be read. Default: all.
    ///   - onRead: Called after each read, with the position after the last byte that has been read.
    package init(
        _ data: Data, readable readableCount: Int = .max, onRead: @escaping @Sendable (_ end: Int) -> Void = { _ in }
    ) {
        self.data = data
        self.readableCount = readableCount
        self.onRead = onRead
    }

    package var byteCount: Int { data.count }
    /// The length of the longest read in bytes.
    package var mostAtOnce: Int { reads.withLock { $0.mostAtOnce } }
    /// The position after the last byte that has been read.
    package var end: Int { reads.withLock { $0.end } }

    package func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        let range = min(offset, data.count)..<min(data.count, offset + memory.count)
        guard range.upperBound <= readableCount else {
            throw ImageError(.loadFailed, stage: .load, message: "is out of reach")
        }
        let end = reads.withLock { reads in
            reads.mostAtOnce = max(reads.mostAtOnce, range.count)
            reads.end = max(reads.end, range.upperBound)
            return reads.end
        }
        memory.copyBytes(from: data.dropFirst(range.lowerBound).prefix(range.count))
        onRead(end)
        return range.count
    }
}
