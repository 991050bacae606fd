#if PNG
import Calotype

/// Goes from chunk to chunk of a file, and reads their headers alone.
struct PNGChunkWalker {
    private let bytes: PNGBytes
    /// The start of the next chunk.
    private var place: Int
    private var budget: PNGChunkBudget

    /// - Parameters:
    ///   - place: Where a chunk begins.
    ///   - frameCount: How many frames are expected among the chunks.
    init(_ bytes: PNGBytes, from place: Int = PNGChunkHeader.signature.count, frameCount: Int = 0) {
        self.bytes = bytes
        self.place = place
        budget = PNGChunkBudget(frameCount: frameCount)
    }

    /// Whether it ended because there are too many chunks.
    var isExhausted: Bool { budget.isSpent }

    /// The next chunk, of which at least the header is there; nil when the bytes end before that, or when too many
    /// chunks were there.
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
