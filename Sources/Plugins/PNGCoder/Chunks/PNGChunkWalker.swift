#if PNG
import Calotype

/// An iterator over the chunks of a file. It reads only the headers of the chunks.
struct PNGChunkWalker {
    private let bytes: PNGBytes
    /// The offset in the file of the next chunk.
    private var place: Int
    private var budget: PNGChunkBudget

    /// Creates an iterator that begins at the offset `place` in the file, by default at the first chunk. The two counts
    /// are passed to ``PNGChunkBudget``.
    init(
        _ bytes: PNGBytes, from place: Int = PNGChunkHeader.signature.count, frameCount: Int = 0, usedCount: Int = 0
    ) {
        self.bytes = bytes
        self.place = place
        budget = PNGChunkBudget(frameCount: frameCount, usedCount: usedCount)
    }

    /// Whether the iteration ended because there are too many chunks.
    var isExhausted: Bool { budget.isSpent }

    /// Returns the next chunk; nil at the end of the file or after too many chunks.
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
