#if PNG
public import Calotype

/// Reads and writes PNG, with libpng.
///
/// Every PNG of ISO/IEC 15948 (W3C PNG, third edition) is read: all colour types and depths, interlaced or not. An
/// index beyond the palette is opaque black, as the specification requires.
///
/// Of an animated PNG the frames are read, of which the default image is the first or none. An animation that is
/// damaged before its first frame, or has no other than the default image, is the default image, a still. One that is
/// damaged later, cut off, or has fewer frames than it announces is an error, or, where a part is allowed, the frames
/// before that; frames beyond those announced are not read. What is wrong with the chunks of any frame is found with
/// the header, so that info, the first frame and all frames end alike: that one has no pixels is such a fault. What is
/// wrong with the pixels themselves is found when the frame is decoded.
///
/// The profile of a picture is the first that is understood of a cICP chunk, an embedded ICC profile, an sRGB chunk,
/// and gamma with chromaticities; sRGB where there is none. Numbers in chunks become an ICC profile that says the same,
/// one of gray for a gray picture. A damaged profile, a gamma of 0 and the like are passed over, and so is a cICP chunk
/// for PQ, HLG or narrow range: such a picture keeps its numbers, and the next chunk says what they mean.
///
/// The first sound EXIF block counts, before the pixels or behind them: where none stands before them, the headers of
/// all chunks are read. XMP may stand anywhere too, and is looked for in all of the file where metadata are wanted.
///
/// What is known while the bytes come is what stands before the pixels: the picture as a still, without its frames, how
/// often they play, and whether they leave gaps that are transparent, and without EXIF and XMP that stand behind the
/// pixels: previews of such a picture are not turned, and the final image is.
///
/// A file may have 100,000 chunks of less than 1 KB beside those of its frames; more are damage.
///
/// The bytes are read as the rows are decoded, a piece at a time where they are not in memory.
///
/// The pixels of a still count as complete when the chunks that hold them are there with the right checksums. What
/// follows is not read, so a missing end, or anything behind it, is no error. An animation without its end is cut off.
public struct PNGCoder: ImageCoder, TruthfulCoder {
    /// A coder.
    public init() {}

    public let formats: [ImageFormat] = [.png]

    public var acceptsUntrustedBytes: Bool { true }

    public var readsInPieces: Bool { true }

    public var isPureComputation: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try PNGDecoder(bytes, options: options)
    }

    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? {
        recognizes(head) ? PNGProgressiveDecoder(options: options) : nil
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .png ? PNGEncoder() : nil
    }
}
#endif
