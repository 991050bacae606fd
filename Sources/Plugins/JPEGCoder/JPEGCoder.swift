#if JPEG
public import Calotype

/// Reads and writes JPEG, with libjpeg-turbo.
///
/// What ISO/IEC 10918-1 calls baseline, extended and progressive is read, with 8 bits, Huffman or arithmetic coding and
/// every subsampling that libjpeg-turbo knows. Pixels are those of its accurate integer transform and its smooth
/// upsampling. Inks (CMYK and YCCK) are given as such, with their profile; they count as inverted when the file has
/// Adobe's marker. A damaged or incomplete profile is taken for sRGB, and ``ImageInfo/isProfileDamaged`` says so. Of
/// several EXIF blocks the first counts, and of several profiles the first that is whole; of an XMP packet that is too
/// long for one segment the main part is kept.
///
/// For a thumbnail a picture is decoded at a half, a quarter or an eighth, where that leaves at least twice the pixels
/// that are wanted in both directions, or with `.thumbnailQuality(.fast)` as many; the rest is left to the resampler.
/// Neither for `.exact`, nor for the filter `nearest`, nor, unless `fast` is wanted, in linear light. Of luma and
/// chroma in 4:4:4, 4:2:2, 4:4:0 and 4:2:0, and of gray, the resampler gets the planes as they are, if it wants them.
///
/// Data that are missing or make no sense are an error wherever libjpeg-turbo notices: it would go on with gray. Much
/// damage has no mark: where bytes of the data were changed or lost, most pictures decode to other pixels without a
/// word. Of bytes that are left over within the data, before a restart or another scan, up to 64 are passed over, since
/// there are webcams that leave some in every picture; more are damage. Before the first scan, and before the marker
/// for the end, any number may stand. That marker may be missing where nothing else is, except from an arithmetically
/// coded file; what follows the end is not read.
///
/// Arithmetically coded data end wherever their encoder likes: it leaves out zeros at the end of a scan and before each
/// restart, of which a decoder makes up any number. A few of them, as blocks take that can be foreseen, are right; more
/// are missing data. So are no data at all for a scan, or for an interval between restarts, of more than four blocks,
/// or eight of averages alone, and more than four zeros at the end of a file that lacks scans too. What is missing may
/// be taken for a margin of one colour, or for a pattern that goes on, where it is less than 128 bytes, and a byte more
/// for 16 blocks, 512 at most. It may be taken for bits that are 0 where it is refinements of the average, or scans of
/// other coefficients with next to no data, of which up to 1024 blocks may have none. In turn, a whole picture may be
/// refused that repeats a tile of a few pixels: one in a thousand of those that were tried.
///
/// Memory for rows or coefficients is taken only when the limits allow the size that the header claims, and the scans
/// that a file has. A few kilobytes may then still take three seconds and hundreds of megabytes, within the limits
/// that are the default: see `.jpegMaxCoefficientBytes` and `.jpegMaxScanCoefficients`, and lower them for bytes from
/// strangers.
///
/// With `.allowPartial` a picture of one scan is given down to the row where data are missing, or where libjpeg-turbo
/// notices that they make no sense, which may be some rows below the damage; nothing behind that is looked for. One of
/// many scans is given whole, as good as the scans make it that were read to their ends, and as far as the next was
/// read; without a whole scan there is nothing to give.
///
/// What is written has 8 bits, and one channel where the layout says gray. An EXIF block of up to 65,527 bytes and an
/// XMP packet of up to 65,502 are embedded; longer ones throw `encodeFailed`. A thumbnail of at most 320 pixels a side
/// is as good as there is room for it in the EXIF block, and left out where there is none. What is transparent is put
/// on the background.
public struct JPEGCoder: ImageCoder, TruthfulCoder {
    /// A coder.
    public init() {}

    public let formats: [ImageFormat] = [.jpeg]

    public var acceptsUntrustedBytes: Bool { true }

    public var isPureComputation: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try JPEGDecoder(bytes.data, options: options)
    }

    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? {
        guard recognizes(head) else { return nil }
        return try JPEGProgressiveDecoder(options: options)
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .jpeg ? JPEGEncoder() : nil
    }
}
#endif
