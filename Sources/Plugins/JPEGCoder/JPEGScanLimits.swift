#if JPEG
import Calotype

/// The most scans of a picture that are read, and the most blocks that they may have together.
struct JPEGScanLimits {
    let maxScans: Int
    let maxBlocks: Int

    /// The limits that a request has.
    init(_ context: ResolvedContext) {
        maxScans = max(context[.jpegMaxScans], 1)
        maxBlocks = max(context[.jpegMaxScanBlocks], 1)
    }

    /// Throws `limitExceeded` for more scans than allowed, and for more blocks in them.
    func check(scanCount: Int, blockCount: UInt64) throws(ImageError) {
        guard scanCount <= maxScans else {
            throw ImageError(
                .limitExceeded, stage: .decode, message: "has more than the \(maxScans) scans that are allowed",
                advice: "raise the context value `jpegMaxScans` if the source is trusted")
        }
        guard blockCount <= UInt64(maxBlocks) else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                message: "has more than the \(maxBlocks) blocks in all scans that are allowed",
                advice: "raise the context value `jpegMaxScanBlocks` if the source is trusted")
        }
    }
}
#endif
