#if JPEG
public import Calotype

/// A coder for JPEG, based on libjpeg-turbo.
///
/// The coder reads baseline, extended and progressive files of ISO/IEC 10918-1 with 8 bits, Huffman or arithmetic
/// coding, and every subsampling that libjpeg-turbo supports. It uses libjpeg-turbo's accurate integer transform and
/// smooth upsampling. Pictures of inks (CMYK and YCCK) are delivered as inks with their profile; their values count as
/// inverted if the file has Adobe's marker. A damaged or incomplete profile is replaced by sRGB, and
/// ``ImageInfo/isProfileDamaged`` is set. If a file has several EXIF blocks or several complete profiles, the first one
/// is used. If an XMP packet exceeds one segment, only its main part is kept.
///
/// For a thumbnail, a picture is decoded at a half, a quarter or an eighth of its size, and the resampler then makes
/// the requested size. In both directions, the decoded size must be at least twice the requested size; with
/// `.thumbnailQuality(.fast)`, it may equal the requested size. The full size is decoded with
/// `.thumbnailQuality(.exact)` and with the filter `nearest`. It is also decoded for linear light, unless the thumbnail
/// quality is `fast`. If a picture is gray, or is stored as luma and chroma in 4:4:4, 4:2:2, 4:4:0 or 4:2:0, the
/// resampler can receive the planes directly.
///
/// Missing or invalid data cause an error wherever libjpeg-turbo notices them; by itself it would continue with gray.
/// Much damage cannot be detected: if bytes of the data were changed or lost, most pictures decode to wrong pixels
/// without an error. Within the data, up to 64 surplus bytes are skipped before a restart or another scan, because some
/// webcams write them in every picture; more surplus bytes count as damage. Before the first scan and before the end
/// marker, any number of bytes is skipped. The end marker may be missing if all other data are present, except in an
/// arithmetically coded file. Bytes after the end marker are not read.
///
/// Arithmetically coded data may end early: an encoder omits zeros at the end of a scan and before each restart, and a
/// decoder generates any number of zeros in their place. This coder limits the number of generated zeros. The limit
/// suffices for almost all pictures that encoders write; more zeros count as missing data. Data also count as missing
/// if a scan, or an interval between restarts, contains no bytes although it represents many blocks. In a sequential
/// file, an empty scan or interval may represent at most four blocks. In a progressive file, it may represent at most
/// eight blocks of DC coefficients, or 1024 blocks of other coefficients. Empty refinements of DC coefficients are
/// always accepted. If the file also lacks scans, at most four zeros are accepted at its end.
///
/// Some missing data of arithmetically coded files cannot be detected. Missing bytes may be mistaken for a margin of
/// one color or for a continued pattern: up to about 128 bytes plus one byte for each 16 blocks, but at most about 512
/// bytes in total. Missing data may also be mistaken for zero bits in refinements of DC coefficients, and in scans of
/// other coefficients that have almost no data. Conversely, a complete picture that repeats a tile of a few pixels may
/// be refused: one in a thousand in tests.
///
/// Memory for rows or coefficients is only allocated if the limits permit the claimed size and the scans of the file.
/// Within the default limits, a file of a few kilobytes may still take three seconds and hundreds of megabytes. Lower
/// `.jpegMaxCoefficientBytes` and `.jpegMaxScanCoefficients` for untrusted files.
///
/// With `.allowPartial`, a picture of one scan is returned down to the row where data are missing or where
/// libjpeg-turbo notices that they are invalid, which may be some rows below the damage. Data after that row are
/// ignored. A picture of several scans is returned with all its rows, in the quality of its complete scans and of the
/// part of the next scan that was read. If no scan is complete, nothing is returned.
///
/// Written files have 8 bits. Gray pixels are written as one channel, unless an RGB profile is embedded, or transparent
/// pixels have a colored background. An EXIF block of up to 65,527 bytes and an XMP packet of up to 65,502 bytes are
/// embedded; longer ones throw `encodeFailed`. A thumbnail has at most 320 pixels a side and the best of five qualities
/// with which it fits into the EXIF block. It is omitted if it does not fit with any of them. Transparent pixels are
/// composited over the background.
public struct JPEGCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder for JPEG.
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
