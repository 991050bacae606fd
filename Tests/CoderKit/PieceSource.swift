package import Calotype

/// A source that records the size of its largest read, and can be unreadable from a position on.
package final class PieceSource: ByteSource {
    private let data: Data
    private let readableCount: Int
    private let most = Lock(0)

    /// Creates a source of which only the first `readableCount` bytes can be read. Default: all.
    package init(_ data: Data, readable readableCount: Int = .max) {
        self.data = data
        self.readableCount = readableCount
    }

    package var byteCount: Int { data.count }
    /// The largest number of bytes that were read at once.
    package var mostAtOnce: Int { most.withLock { $0 } }

    package func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        most.withLock { $0 = max($0, memory.count) }
        let range = offset..<min(data.count, offset + memory.count)
        guard range.upperBound <= readableCount else {
            throw ImageError(.loadFailed, stage: .load, message: "is out of reach")
        }
        memory.copyBytes(from: data[range])
        return range.count
    }
}
