#if PNG
public import Calotype

/// Reads and writes PNG, with libpng.
///
/// Every PNG of ISO/IEC 15948 (W3C PNG, third edition) is read: all colour types and depths, interlaced or not. An index
/// beyond the palette is opaque black, as the specification requires. Of an animated PNG the default image is read.
///
/// The profile of a picture is the first that is understood of a cICP chunk, an embedded ICC profile, an sRGB chunk, and
/// gamma with chromaticities; sRGB where there is none. Numbers in chunks become an ICC profile that says the same, one
/// of gray for a gray picture. A damaged profile, a gamma of 0 and the like are passed over, and so is a cICP chunk for
/// PQ, HLG or narrow range: such a picture keeps its numbers, and the next chunk says what they mean.
///
/// The bytes are read as the rows are decoded, a piece at a time where they are not in memory.
///
/// Pixels count as complete when the chunks that hold them are there with the right checksums. What follows is not
/// read, so a missing end, or anything behind it, is no error.
public struct PNGCoder: ImageCoder {
    /// A coder.
    public init() {}

    public var formats: [ImageFormat] { [.png] }

    public var readsInPieces: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try PNGDecoder(bytes, options: options)
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .png ? PNGEncoder() : nil
    }
}
#endif
