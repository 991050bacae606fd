#if HEIF
import Calotype

/// The properties that a stream states about its picture: the size, the bit depth and the colors.
struct StreamHeader: Equatable, Sendable {
    let size: PixelSize
    /// The size in pixels of the picture that the codec decodes, including the edges that the stream crops.
    let codedSize: PixelSize
    /// The number of bits of a sample: 8 to 16.
    let bitDepth: Int
    /// Whether the picture is gray.
    let isGray: Bool
    /// The color description in the stream; nil if there is none.
    let colors: ColorDescription?
}
#endif
