#if PNG
import CPNGShim
import Calotype

/// A limit for the number of small chunks in a file.
///
/// An empty chunk takes 12 bytes, so each megabyte can contain many thousands of them. Each causes work, and the job is
/// not checked in between. Longer chunks are not counted: the pixels may need any number of them, and they are limited
/// by the number of bytes.
struct PNGChunkBudget {
    /// The limit of the reader based on libpng.
    static let mostSmallChunks = Int(CPNG_MOST_SMALL_CHUNKS)
    private static let smallByteCount = Int(CPNG_SMALL_CHUNK)

    private var leftCount: Int

    /// Creates a budget.
    /// - Parameter frameCount: The maximum number of frames, each of which has a control chunk and a chunk of pixels.
    init(frameCount: Int = 0) {
        leftCount = Self.mostSmallChunks + 2 * frameCount
    }

    /// Whether the limit is exceeded.
    var isSpent: Bool { leftCount < 0 }

    mutating func count(_ chunk: PNGChunkHeader) {
        if chunk.length < Self.smallByteCount { leftCount -= 1 }
    }
}
#endif
