#if HEIF
import CHEIF
public import Calotype

/// Reads HEIC, AVIF and other HEIF files with libheif, and writes the first two where it has the encoders.
///
/// The picture that a file names is read: of one stream, of a grid of tiles, or as another item's identity, in HEVC or
/// AV1, with 8, 10 or 12 bits, gray or in color, with alpha. It is shown as the file's own properties crop, turn and
/// mirror it; an orientation in EXIF is not heeded (ISO/IEC 23008-12:2022, annex A.2). Image sequences are not read.
///
/// The container is read and checked here, and libheif is given one plain stream at a time. Its codecs are large and
/// have had faults all the same: the coder does not accept bytes from strangers
/// (``ImageCoder/acceptsUntrustedBytes``). Older ones silently fill missing parts of a damaged stream, sometimes with
/// memory that the process used before.
public struct HEIFCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
    public init() {}

    // In this order: files of the general brand are told by another one that they name.
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
