#if PNG
public import Calotype

/// A coder for PNG, based on libpng.
///
/// The coder reads every PNG of ISO/IEC 15948 (W3C PNG, third edition): all color types and depths, interlaced or not.
/// A pixel whose index is beyond the end of the palette is opaque black, as the specification requires.
///
/// An animated PNG is read as its frames. The default image, which decoders without support for animations show, is
/// either the first frame or not a frame at all. If an animation is damaged before its first frame, or its only frame
/// is the default image, the default image is read as a still image.
///
/// An animation that is damaged later, is truncated, or has fewer frames than announced causes an error. With
/// `allowPartial`, the frames before the fault are returned instead, or the complete rows of the first frame. An
/// animation that is truncated before its first frame always causes an error. Frames beyond the announced number are
/// not read.
///
/// Faults in the structure of frames, such as missing chunks of pixels, are found when the header is read. Reading the
/// info, the first frame or all frames therefore reports the same faults. Faults in the pixels of a frame, such as a
/// wrong checksum, are found when the frame is decoded.
///
/// The profile of a picture comes from the first usable one of these sources: a cICP chunk, an embedded ICC profile, an
/// sRGB chunk, and gAMA and cHRM chunks. Without any of them the picture is in sRGB. The numbers in cICP, gAMA and cHRM
/// chunks are converted to an equivalent ICC profile, unless they describe sRGB. The profile of a gray picture is a
/// gray profile. Damaged profiles and invalid values, such as a gamma of 0, are ignored. A cICP chunk for PQ, HLG or
/// narrow range is ignored too, because an ICC profile cannot express it: the profile then comes from the next source
/// in the list.
///
/// An EXIF block before the pixels takes precedence over an EXIF block after the pixels. If no EXIF block precedes the
/// pixels, the headers of all later chunks are read to find one. XMP may be anywhere in the file, and is searched for
/// only if metadata are requested.
///
/// While the bytes arrive, only the chunks before the pixels are known. The info then describes a still image. It lacks
/// the frames, the number of plays, and any EXIF and XMP after the pixels. It also ignores the transparency of areas
/// that no frame covers. If EXIF after the pixels defines an orientation, the previews are therefore not rotated, but
/// the final image is.
///
/// A file may have 100,000 chunks shorter than 1 KiB, and two more such chunks for each announced frame. A file with
/// more short chunks counts as damaged. In a still image, short chunks after the pixels count toward this limit only if
/// metadata are requested.
///
/// The coder reads the bytes while it decodes rows. A file that is not in memory is read in pieces.
///
/// With the package trait `DEFLATE`, libdeflate inflates all rows of a complete picture at once, which is faster.
/// libpng still decodes interlaced pictures and pictures whose rows take more than 64 MiB in total. It also decodes
/// pictures in which libdeflate finds damage, so that they cause the same errors with and without the trait. A decode
/// can be cancelled before and after the inflation, which takes up to about a third of a second, and several seconds
/// for hostile files.
///
/// With this trait, the rows of a written picture or frame are also filtered and compressed at once, which is faster
/// and needs memory for these rows and for the compressed bytes. libpng compresses pictures whose rows take more than
/// 64 MiB, or 8 MiB at the levels 8 and 9, and all pictures if memory is short. An encode can be cancelled before and
/// after the compression, which takes up to about a second for photographs, and four for the worst pixels.
///
/// A still image is complete if the chunks with its pixels exist and have the right checksums. The pixels may be
/// followed by anything: a missing end or additional bytes are not an error. An animation without its end counts as
/// truncated.
public struct PNGCoder: ImageCoder, TruthfulCoder {
    #if DEFLATE
    /// Whether libdeflate inflates complete pictures. If false, libpng decodes all pictures.
    private let inflatesAtOnce: Bool

    /// Creates a coder. If `inflatesAtOnce` is false, libpng decodes all pictures.
    package init(inflatesAtOnce: Bool) { self.inflatesAtOnce = inflatesAtOnce }

    /// Creates a coder.
    public init() { self.init(inflatesAtOnce: true) }
    #else
    /// Creates a coder.
    public init() {}
    #endif

    public let formats: [ImageFormat] = [.png]

    public var acceptsUntrustedBytes: Bool { true }

    public var readsInPieces: Bool { true }

    public var isPureComputation: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        let decoder = try PNGDecoder(bytes, options: options)
        #if DEFLATE
        decoder.inflatesAtOnce = inflatesAtOnce
        #endif
        return decoder
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
