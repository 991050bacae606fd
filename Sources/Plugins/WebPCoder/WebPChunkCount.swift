#if WEBP
import Calotype

/// The number of chunks of a file, by their headers.
///
/// libwebpdemux takes memory for each before it says how many there are. It looks for chunks within frames too: what it
/// does not know there it reads as if it stood behind the frame, other frames included.
///
/// Source: RFC 9649, sections 2.3 and 2.7.1.1.
enum WebPChunkCount {
    /// The most chunks that are neither frames nor parts of them.
    private static let mostOthers = 1000

    /// Goes through the chunks of a file, or of the beginning of one. Throws `limitExceeded` for more frames than
    /// allowed, and `badData` for more other chunks than files have, as soon as that shows.
    static func check(_ file: UnsafeRawBufferPointer, maxFrames: Int) throws(ImageError) {
        var (frames, pictures, others) = (0, 0, 0)
        // Behind "RIFF", the length and "WEBP".
        var start = 12
        while start <= file.count - 8 {
            let name = UInt32(bigEndian: file.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            let length = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
            switch name {
            case frameName:
                frames += 1
                guard frames <= maxFrames else { throw .beyondLimit(moreThan: maxFrames, "frames", key: "maxFrames") }
                // The chunks of the frame are counted like all others.
                start += 8 + frameHeaderByteCount
                continue
            case alphaName, lossyName, losslessName: pictures += 1
            default: others += 1
            }
            // A frame has a picture, and alpha beside it.
            guard others + max(0, pictures - 2 * (frames + 1)) <= mostOthers else {
                throw ImageError(
                    .badData, stage: .decode, message: "has more than \(mostOthers) chunks beside its frames",
                    advice: "have it written anew: no picture needs them")
            }
            // Of an odd length a byte follows that is none of it.
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
