#if PNG
import CPNGShim
import Calotype

/// A limit on the number of small chunks in a file. A small chunk is shorter than 1 KiB.
///
/// The limit is needed because each chunk takes time, and cancellation is not checked between chunks. An empty chunk
/// takes only 12 bytes, so each megabyte can contain many thousands of chunks. Longer chunks are not counted, because a
/// picture may need any number of them. The length of the file limits that number.
struct PNGChunkBudget {
    /// The maximum number of small chunks in a still image: 100,000. The C reader in `CPNGShim` has the same limit.
    static let mostSmallChunks = Int(CPNG_MOST_SMALL_CHUNKS)
    private static let smallByteCount = Int(CPNG_SMALL_CHUNK)

    private var leftCount: Int

    /// Creates the limit for a file.
    /// - Parameters:
    ///   - frameCount: The announced number of frames. Each frame adds two chunks to the limit: its control chunk and a
    ///     chunk of pixels. Default: 0.
    ///   - usedCount: The number of small chunks that already count toward the limit. Default: 0.
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
