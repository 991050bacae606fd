#if PNG
import Calotype

/// The EXIF block after the pixels of a file.
///
/// Source: Extensions to the PNG 1.2 Specification, version 1.5.0, section 3.7, which allows an eXIf chunk anywhere
/// except among the chunks of pixels. W3C PNG, third edition, requires it before the pixels, where libpng reads it.
/// Both kinds of files exist.
enum PNGEXIF {
    /// The first two bytes of a block.
    private static let byteOrderMarks: Set = [Data("II".utf8), Data("MM".utf8)]

    /// Returns the body of the first valid eXIf chunk. Returns nil if there is none or if it exceeds the limit.
    ///
    /// Other chunks are skipped by their headers, so that memory is only allocated for the block. Throws
    /// `limitExceeded` for a longer block if metadata are requested.
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
