#if WEBP
import Calotype

/// The number of chunks of a file, by their headers.
///
/// libwebpdemux takes memory for each before it says how many there are.
///
/// Source: RFC 9649, section 2.3.
struct WebPChunkCount {
    /// The most chunks that are no frames.
    static let mostOthers = 1000

    private(set) var frames = 0
    private(set) var others = 0

    /// Counts the chunks of a file, or of the beginning of one.
    init(_ file: UnsafeRawBufferPointer) {
        // Behind "RIFF", the length and "WEBP".
        var start = 12
        while start <= file.count - 8 {
            if Data(file[start..<start + 4]) == Self.frameName { frames += 1 } else { others += 1 }
            let length = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
            // Of an odd length a byte follows that is none of it.
            start += 8 + length + length % 2
        }
    }

    private static let frameName = Data("ANMF".utf8)

    /// Throws `limitExceeded` for more frames than allowed, and `badData` for more other chunks than files have.
    func check(maxFrames: Int) throws(ImageError) {
        guard frames <= maxFrames else {
            throw ImageError(
                .limitExceeded, stage: .decode, message: "has \(frames) frames; \(maxFrames) are allowed",
                advice: "raise the context value `maxFrames` if the source is trusted")
        }
        guard others <= Self.mostOthers else {
            throw ImageError(
                .badData, stage: .decode, message: "has more than \(Self.mostOthers) chunks beside its frames",
                advice: "have it written anew: no picture needs them")
        }
    }
}
#endif
