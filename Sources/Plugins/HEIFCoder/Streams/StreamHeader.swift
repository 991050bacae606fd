#if HEIF
import Calotype

/// The header of a stream: the size, the depth and the colors of its picture.
struct StreamHeader: Equatable, Sendable {
    let size: PixelSize
    /// The size with what is cut off at the edges, which the decoder works on as well.
    let codedSize: PixelSize
    /// Bits of a sample: 8 to 16.
    let bitDepth: Int
    /// Whether there is luma alone.
    let isGray: Bool
    /// The colors that the stream announces; nil for none.
    let colors: ColorDescription?
}
#endif
