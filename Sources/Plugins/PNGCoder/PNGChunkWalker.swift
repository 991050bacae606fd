#if PNG
import Calotype

/// Goes from chunk to chunk of a file, and reads their headers alone.
struct PNGChunkWalker {
    private let bytes: PNGBytes
    /// Where the next chunk begins.
    private var place: Int

    /// - Parameter place: Where a chunk begins.
    init(_ bytes: PNGBytes, from place: Int = PNGChunkHeader.signature.count) {
        self.bytes = bytes
        self.place = place
    }

    /// The next chunk, of which at least the header is there; nil when the bytes end before that.
    mutating func next() -> PNGChunkHeader? {
        bytes.seek(to: place)
        guard let header = bytes.readNumber(UInt64.self) else { return nil }
        let chunk = PNGChunkHeader(header, at: place)
        place = chunk.end
        return chunk
    }
}
#endif
