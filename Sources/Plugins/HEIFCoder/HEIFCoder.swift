#if HEIF
import CHEIF
public import Calotype

/// A coder for HEIC, AVIF and other HEIF files, based on libheif. It writes HEIC and AVIF if libheif has the encoders.
///
/// The coder reads the primary picture of a file: a single stream, a grid of tiles, or the identity of another item, in
/// HEVC or AV1, with 8, 10 or 12 bits, gray or in color, with alpha. The file's own properties define cropping,
/// rotation and mirroring; the orientation in EXIF is ignored (ISO/IEC 23008-12:2022, annex A.2). Image sequences are
/// not read.
///
/// The coder parses and checks the container itself and passes single plain streams to libheif. libheif's codecs are
/// large and have had vulnerabilities nevertheless, so the coder does not accept untrusted bytes
/// (``ImageCoder/acceptsUntrustedBytes``). Older codecs silently fill missing parts of a damaged stream, sometimes with
/// previously used memory of the process.
public struct HEIFCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
    public init() {}

    // The order matters: files with the general brand are identified by another brand that they list.
    public let formats: [ImageFormat] = [.avif, .heic]

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try HEIFDecoder(bytes.data, options: options)
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        guard let codec = HEIFCodec.allCases.first(where: { $0.format == format }),
            heif_have_encoder_for_format(codec.compression) != 0
        else { return nil }
        return HEIFEncoder(codec: codec)
    }
}
#endif
