#if WEBP
import Calotype

/// A check of the number of chunks in a file.
///
/// The check is needed before libwebpdemux parses the file, because libwebpdemux allocates memory for each chunk. The
/// check includes the chunks within frames, because libwebpdemux can read them like chunks outside frames.
///
/// Source: RFC 9649, sections 2.3 and 2.7.1.1.
enum WebPChunkCount {
    /// The maximum number of chunks other than frames and their pictures, such as metadata and unknown chunks.
    private static let mostOthers = 1000

    /// Checks a file or its beginning. Throws `limitExceeded` for excess frames, or `badData` for excess other chunks.
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
