#if PNG
import Calotype

/// The EXIF block that stands behind the pixels of a file.
///
/// Source: Extensions to the PNG 1.2 Specification, version 1.5.0, section 3.7, which allows an eXIf chunk anywhere but
/// among those of the pixels. W3C PNG, third edition, wants it before them, where libpng reads it; files of both kinds
/// are about.
enum PNGEXIF {
    /// The first two bytes of a block.
    private static let byteOrderMarks: Set = [Data("II".utf8), Data("MM".utf8)]

    /// Returns the body of the first eXIf chunk that is sound; nil without one, and where it is longer than the limit.
    ///
    /// The chunks are passed over by their headers, so that it takes memory for the block alone. Throws `limitExceeded`
    /// for a longer block where metadata are wanted.
    static func block(
        behind header: PNGHeader, in bytes: PNGBytes, options: DecodeOptions
    ) throws(ImageError) -> Data? {
        let maxMetadataBytes = options.context[.maxMetadataBytes]
        var chunks = PNGChunkWalker(
            bytes, from: header.pixelOffset, frameCount: header.animation?.frameCount ?? 0)
        while let chunk = chunks.next(), chunk.isValid, chunk.type != .end {
            guard chunk.type == .exif else { continue }
            guard chunk.length <= PNGReader.exifLimit(maxMetadataBytes: maxMetadataBytes) else {
                guard options.keepsMetadata else { return nil }
                throw .tooMuchMetadata(maxMetadataBytes)
            }
            if let body = bytes.body(of: chunk), byteOrderMarks.contains(Data(body.prefix(2))) { return body }
        }
        return nil
    }
}
#endif
