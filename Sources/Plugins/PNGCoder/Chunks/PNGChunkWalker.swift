#if PNG
import Calotype

/// An iterator over the chunks of a file. It reads only the headers of the chunks.
struct PNGChunkWalker {
    private let bytes: PNGBytes
    /// The offset in the file of the next chunk.
    private var place: Int
    private var budget: PNGChunkBudget

    /// Creates an iterator.
    /// - Parameters:
    ///   - bytes: The file.
    ///   - place: The offset in the file of the first chunk to return. Default: the offset of the first chunk.
    ///   - frameCount: The announced number of frames. Each frame raises the limit for the number of small chunks.
    ///     Default: 0.
    ///   - usedCount: The number of small chunks that already count toward this limit. Default: 0.
    init(
        _ bytes: PNGBytes, from place: Int = PNGChunkHeader.signature.count, frameCount: Int = 0, usedCount: Int = 0
    ) {
        self.bytes = bytes
        self.place = place
        budget = PNGChunkBudget(frameCount: frameCount, usedCount: usedCount)
    }

    /// Whether the iteration ended because there are too many chunks.
    var isExhausted: Bool { budget.isSpent }

    /// Returns the next chunk. Returns nil if the file ends before the end of the next header, or if there have been
    /// too many chunks.
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
