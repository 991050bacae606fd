#if HEIF
import Calotype

/// The properties of a stream: the size, the depth and the colors of its picture.
struct StreamHeader: Equatable, Sendable {
    let size: PixelSize
    /// The size including cropped edges, which the decoder processes too.
    let codedSize: PixelSize
    /// The number of bits of a sample: 8 to 16.
    let bitDepth: Int
    /// Whether the picture is gray.
    let isGray: Bool
    /// The color description in the stream; nil for none.
    let colors: ColorDescription?
}
#endif
