#if PNG
import CPNGShim
import Calotype

/// A limit on the number of chunks of a file that are read. A chunk of nothing takes 12 bytes, so a file of these has
/// many thousands of them in each megabyte, for each of which there is work, and no job is looked at meanwhile.
///
/// Those of some length are not counted: there are as many of them as the pixels need, and the limits for bytes hold.
struct PNGChunkBudget {
    /// The limit of libpng's readers.
    static let mostSmallChunks = Int(CPNG_MOST_SMALL_CHUNKS)
    private static let smallByteCount = Int(CPNG_SMALL_CHUNK)

    private var leftCount: Int

    /// - Parameter frameCount: How many frames there may be, each of which has a chunk that announces it and one of
    ///   pixels.
    init(frameCount: Int = 0) {
        leftCount = Self.mostSmallChunks + 2 * frameCount
    }

    /// Whether more were counted than may be.
    var isSpent: Bool { leftCount < 0 }

    mutating func count(_ chunk: PNGChunkHeader) {
        if chunk.length < Self.smallByteCount { leftCount -= 1 }
    }
}
#endif
