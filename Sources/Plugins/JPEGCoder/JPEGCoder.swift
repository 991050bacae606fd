#if JPEG
public import Calotype

/// Reads and writes JPEG, with libjpeg-turbo.
///
/// What ISO/IEC 10918-1 calls baseline, extended and progressive is read, with 8 bits, Huffman or arithmetic coding and
/// every subsampling that libjpeg-turbo knows. Pixels are those of its accurate integer transform and its smooth
/// upsampling. Inks (CMYK and YCCK) are given as such, with their profile; they count as inverted when the file has
/// Adobe's marker. A damaged or incomplete profile is taken for sRGB, and ``ImageInfo/isProfileDamaged`` says so. Of
/// several EXIF blocks the first counts; of an XMP packet that is too long for one segment the main part is kept.
///
/// For a thumbnail a picture is decoded at a half, a quarter or an eighth, where that leaves at least twice the pixels
/// that are wanted in both directions, or with `.thumbnailQuality(.fast)` as many; the rest is left to the resampler.
/// Neither for `.exact`, nor for the filter `nearest`, nor, unless `fast` is wanted, in linear light. Of luma and
/// chroma in 4:4:4, 4:2:2, 4:4:0 and 4:2:0, and of gray, the resampler gets the planes as they are, if it wants them.
///
/// Data that are missing or make no sense are an error wherever libjpeg-turbo notices: it would go on with gray. The
/// marker for the end may be missing where nothing else is, except from an arithmetically coded file; what follows the
/// end is not read.
///
/// With `.allowPartial` a picture of one scan is given down to the row where data are missing, or where libjpeg-turbo
/// notices that they make no sense, which may be some rows below the damage; nothing behind that is looked for. One of
/// many scans is given whole, as good as the scans make it that were read to their ends, and as far as the next was
/// read; without a whole scan there is nothing to give.
///
/// What is written has 8 bits, and one channel where the layout says gray. An EXIF block of up to 65,527 bytes, a
/// thumbnail of at most 320 pixels a side included, and an XMP packet of up to 65,502 are embedded; longer ones throw
/// `encodeFailed`. What is transparent is put on the background.
public struct JPEGCoder: ImageCoder {
    /// A coder.
    public init() {}

    public var formats: [ImageFormat] { [.jpeg] }

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
