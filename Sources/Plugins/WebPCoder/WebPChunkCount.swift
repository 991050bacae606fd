#if WEBP
import Calotype

/// A check of the number of chunks in a file. The check reads only the headers of the chunks.
///
/// The check is needed before libwebpdemux parses the file, because libwebpdemux allocates memory for each chunk before
/// it reports the number of chunks. libwebpdemux treats unknown chunks within a frame as if they followed the frame,
/// and can even find further frames within a frame. The check therefore also counts the chunks within frames.
///
/// Source: RFC 9649, sections 2.3 and 2.7.1.1.
enum WebPChunkCount {
    /// The maximum number of additional chunks, such as metadata and unknown chunks. Frames do not count as additional.
    /// Picture and alpha chunks count as additional only if there are more of them than the frames can use, and then
    /// only the excess counts.
    private static let mostOthers = 1000

    /// Checks the chunks of a file, or of the bytes at its beginning. Throws `limitExceeded` if there are more than
    /// `maxFrames` frames. Throws `badData` if there are more than 1,000 additional chunks.
    static func check(_ file: UnsafeRawBufferPointer, maxFrames: Int) throws(ImageError) {
        var (frames, pictures, others) = (0, 0, 0)
        // The first chunk follows "RIFF", the length and "WEBP".
        var start = 12
        while start <= file.count - 8 {
            let name = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            let length = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
            switch name {
            case frameName:
                frames += 1
                guard frames <= maxFrames else { throw .beyondLimit(moreThan: maxFrames, "frames", key: "maxFrames") }
                // The chunks within the frame are counted like all others.
                start += 8 + frameHeaderByteCount
                continue
            case alphaName, lossyName, losslessName: pictures += 1
            default: others += 1
            }
            // A frame consists of a picture and optionally its alpha.
            guard others + max(0, pictures - 2 * (frames + 1)) <= mostOthers else {
                throw ImageError(
                    .badData, stage: .decode, message: "has more than \(mostOthers) chunks in addition to its frames",
                    advice: "write the file again: an image does not need so many")
            }
            // A padding byte follows a chunk of odd length.
            start += 8 + length + length % 2
        }
    }

    private static let frameHeaderByteCount = 16
    private static let frameName = name("ANMF")
    private static let alphaName = name("ALPH")
    private static let lossyName = name("VP8 ")
    private static let losslessName = name("VP8L")

    private static func name(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
#endif
