#if PNG
import Calotype

/// A search for an EXIF block after the pixels of a file.
///
/// Source: Extensions to the PNG 1.2 Specification, version 1.5.0, section 3.7, which allows an eXIf chunk anywhere
/// except among the chunks of pixels. W3C PNG, third edition, requires the chunk before the pixels, and libpng reads
/// the chunk only there. Files with the chunk in either position exist.
enum PNGEXIF {
    /// The two byte order marks with which an EXIF block can begin.
    private static let byteOrderMarks: Set = [Data("II".utf8), Data("MM".utf8)]

    /// Returns the body of the first valid eXIf chunk after the first chunk of pixels. Returns nil if there is none.
    ///
    /// For a block longer than ``PNGReader/exifLimit(maxMetadataBytes:)``, throws `limitExceeded` if metadata are
    /// requested, and returns nil if they are not.
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
