#if PNG
import CPNGShim
import Calotype

/// A limit on the number of chunks shorter than 1 KiB in a file.
///
/// The limit is needed because each chunk takes time, and cancellation is not checked between chunks. Longer chunks are
/// not counted, because the length of the file limits their number.
struct PNGChunkBudget {
    /// The maximum number of small chunks in a still image: 100,000. The C reader in `CPNGShim` has the same limit.
    static let mostSmallChunks = Int(CPNG_MOST_SMALL_CHUNKS)
    private static let smallByteCount = Int(CPNG_SMALL_CHUNK)

    private var leftCount: Int

    /// Creates the limit for a file.
    /// - Parameters:
    ///   - frameCount: The announced number of frames. Each permits two more chunks, for its control and its pixels.
    ///   - usedCount: The number of small chunks that already count toward the limit.
    init(frameCount: Int = 0, usedCount: Int = 0) {
        leftCount = Self.mostSmallChunks + 2 * frameCount - usedCount
    }

    /// Whether the file has more small chunks than the limit permits.
    var isSpent: Bool { leftCount < 0 }

    mutating func count(_ chunk: PNGChunkHeader) {
        if chunk.length < Self.smallByteCount { leftCount -= 1 }
    }
}
#endif
