#if PNG
import Calotype

/// The contents of an acTL chunk, which announces an animation.
///
/// Source: W3C PNG, third edition, section 11.3.6.
struct PNGAnimationControl {
    /// The number of bytes in the body of an acTL chunk.
    static let byteCount = 8

    /// The announced number of frames.
    let frameCount: Int
    /// The number of times that the animation plays; 0 means forever.
    let loopCount: Int
    /// The description of the default image as the first frame; nil if the default image is not a frame.
    let defaultFrame: PNGFrameControl?

    /// Creates the announcement from the 8 bytes of an acTL chunk. Returns nil if the picture counts as a still image:
    /// if the acTL or the fcTL chunk is invalid, or if the default image is the only frame.
    /// - Parameter frame: The 26 bytes of the fcTL chunk before the pixels; nil if there is none.
    init?(_ body: Data, frame: Data?, canvas: PixelSize) {
        frameCount = body.bigEndian(at: 0, count: 4)
        loopCount = body.bigEndian(at: 4, count: 4)
        guard 1...Int(Int32.max) ~= frameCount, loopCount <= Int32.max else { return nil }
        defaultFrame = frame.flatMap { PNGFrameControl($0, canvas: canvas) }
        guard frame != nil else { return }
        guard let defaultFrame, defaultFrame.sequenceNumber == 0,
            defaultFrame.info.region == PixelRegion(size: canvas), frameCount > 1
        else { return nil }
    }
}
#endif
