#if HEIF
import CHEIF
public import Calotype

/// A coder for HEIC, AVIF and other HEIF files, based on libheif.
///
/// The coder reads the primary picture of a file: a single stream, a grid of tiles, or an identity item, which shows
/// another item. It supports HEVC and AV1 with 8, 10 or 12 bits per channel, in gray or in color, with or without
/// alpha. Cropping, rotation and mirroring come from the properties of the file; the orientation in EXIF is ignored
/// (ISO/IEC 23008-12:2022, annex A.2). Image sequences are not read. The coder writes HEIC and AVIF, each only if
/// libheif has an encoder for it.
///
/// The coder parses and checks the container itself, and passes only single checked streams to libheif. It nevertheless
/// does not accept untrusted bytes (``ImageCoder/acceptsUntrustedBytes``), because libheif's codecs are large and have
/// had vulnerabilities. In addition, older codecs fill the missing parts of a damaged stream without an error,
/// sometimes with old contents of the process's memory, which the image then shows.
public struct HEIFCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
    public init() {}

    // The order matters: a file with the general brand `mif1` matches HEIC, and also AVIF if it lists the brand `avif`.
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
