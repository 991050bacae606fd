#if PNG
public import Calotype

/// A coder for PNG, based on libpng.
///
/// The coder reads every PNG of ISO/IEC 15948 (W3C PNG, third edition): all color types and depths, interlaced or not.
/// An index beyond the palette is opaque black, as the specification requires.
///
/// For an animated PNG the frames are read. The default image is the first frame, or no frame at all. An animation that
/// is damaged before its first frame, or has only the default image, is read as the default image, a still image. An
/// animation that is damaged later, truncated, or has fewer frames than announced causes an error. With `allowPartial`
/// the frames before that are returned. Frames beyond the announced number are not read. Faults in the chunks of any
/// frame, such as missing pixels, are found with the header, so that info, the first frame and all frames have the same
/// result. Faults in the pixels themselves are found when a frame is decoded.
///
/// The profile of a picture comes from the first usable source of these: a cICP chunk, an embedded ICC profile, an sRGB
/// chunk, and gamma with chromaticities. Without any the picture is in sRGB. Numbers in chunks are converted to an
/// equivalent ICC profile, which is a gray profile for a gray picture. Damaged profiles, a gamma of 0 and similar
/// values are ignored, and so is a cICP chunk for PQ, HLG or narrow range. The values of such a picture are unchanged,
/// and the next source defines their meaning.
///
/// The first valid EXIF block counts, before or after the pixels. If there is none before the pixels, the headers of
/// all chunks are read. XMP may be anywhere too; the whole file is searched if metadata are requested.
///
/// While the bytes arrive, only the data before the pixels are known: the picture as a still image, without its frames,
/// the number of plays and transparent gaps, and without EXIF and XMP after the pixels. Previews of a picture with EXIF
/// after its pixels are therefore not rotated, and the final image is.
///
/// A file may have 100,000 chunks of less than 1 KB, in addition to those of its frames. More count as damage.
///
/// The bytes are read while the rows are decoded, in pieces if they are not in memory.
///
/// The pixels of a still image are complete if their chunks exist with the right checksums. The bytes after them are
/// not read, so a missing end or additional bytes are no error. An animation without its end counts as truncated.
public struct PNGCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
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
