#if PNG
import Calotype

/// An iterator over the chunks of a file that only reads their headers.
struct PNGChunkWalker {
    private let bytes: PNGBytes
    /// The start of the next chunk.
    private var place: Int
    private var budget: PNGChunkBudget

    /// Creates an iterator.
    /// - Parameters:
    ///   - bytes: The file.
    ///   - place: The offset of a chunk.
    ///   - frameCount: The expected number of frames.
    init(_ bytes: PNGBytes, from place: Int = PNGChunkHeader.signature.count, frameCount: Int = 0) {
        self.bytes = bytes
        self.place = place
        budget = PNGChunkBudget(frameCount: frameCount)
    }

    /// Whether the iteration ended because there are too many chunks.
    var isExhausted: Bool { budget.isSpent }

    /// Returns the next chunk with a complete header. Returns nil if the bytes end or there were too many chunks.
    mutating func next() -> PNGChunkHeader? {
        bytes.seek(to: place)
        guard let header = bytes.readNumber(UInt64.self) else { return nil }
        let chunk = PNGChunkHeader(header, at: place)
        place = chunk.end
        budget.count(chunk)
        return isExhausted ? nil : chunk
    }
}
#endif
