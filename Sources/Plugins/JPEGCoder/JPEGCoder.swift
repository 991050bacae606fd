#if JPEG
public import Calotype

/// A coder for JPEG, based on libjpeg-turbo.
///
/// The coder reads baseline, extended and progressive files of ISO/IEC 10918-1 with 8 bits, Huffman or arithmetic
/// coding, and every subsampling that libjpeg-turbo supports. It uses libjpeg-turbo's accurate integer transform and
/// smooth upsampling. Inks (CMYK and YCCK) are delivered as inks with their profile; they count as inverted if the file
/// has Adobe's marker. A damaged or incomplete profile is replaced by sRGB, and ``ImageInfo/isProfileDamaged`` is set.
/// The first EXIF block and the first complete profile count. For an XMP packet that exceeds one segment, the main part
/// is kept.
///
/// For a thumbnail a picture is decoded at a half, a quarter or an eighth of its size. The reduced size must have at
/// least twice the requested pixels in both directions, or as many with `.thumbnailQuality(.fast)`; the resampler does
/// the rest. This does not apply to `.exact`, to the filter `nearest` or, unless `fast` is requested, to linear light.
/// For luma and chroma in 4:4:4, 4:2:2, 4:4:0 and 4:2:0, and for gray, the resampler can receive the planes directly.
///
/// Missing or invalid data cause an error wherever libjpeg-turbo notices them; it would otherwise continue with gray.
/// Much damage is not detectable: if bytes of the data were changed or lost, most pictures silently decode to other
/// pixels. Up to 64 surplus bytes are skipped within the data, before a restart or another scan, because some webcams
/// write them in every picture; more are damage. Before the first scan and before the end marker any number is skipped.
/// The end marker may be missing if nothing else is, except in an arithmetically coded file. Bytes after the end are
/// not read.
///
/// Arithmetically coded data may end early: an encoder omits zeros at the end of a scan and before each restart, and a
/// decoder generates any number of them. A few zeros, as predictable blocks need them, are accepted; more count as
/// missing data. Data are also missing if a scan, or an interval between restarts, of more than four blocks (eight for
/// averages alone) has none, or if more than four zeros are omitted at the end of a file that also lacks scans. Some
/// missing data cannot be detected: less than 128 bytes, plus a byte for each 16 blocks, at most 512, may be mistaken
/// for a margin of one color or for a continued pattern. Missing data may also be mistaken for zero bits in refinements
/// of the average, and in scans of other coefficients with almost no data, of which up to 1024 blocks may have none.
/// Conversely, a complete picture that repeats a tile of a few pixels may be refused: one in a thousand in tests.
///
/// Memory for rows or coefficients is only allocated if the limits permit the claimed size and the scans of the file.
/// Within the default limits, a few kilobytes may still take three seconds and hundreds of megabytes: see
/// `.jpegMaxCoefficientBytes` and `.jpegMaxScanCoefficients`, and lower them for untrusted files.
///
/// With `.allowPartial`, a picture of one scan is returned down to the row where data are missing or where
/// libjpeg-turbo notices that they are invalid, which may be some rows below the damage. Data after that row are
/// ignored. A picture of several scans is returned as a whole, with the quality of its complete scans and of the read
/// part of the next one; without a complete scan nothing is returned.
///
/// Written files have 8 bits, and one channel if the layout is gray. An EXIF block of up to 65,527 bytes and an XMP
/// packet of up to 65,502 bytes are embedded; longer ones throw `encodeFailed`. A thumbnail of at most 320 pixels a
/// side gets the best quality that fits into the EXIF block, and is omitted if none fits. Transparent pixels are
/// composed with the background.
public struct JPEGCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
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
