#if PNG
import Calotype

/// The announcement of an animation before its pixels: the number of frames and of plays.
///
/// Source: W3C PNG, third edition, section 11.3.6.
struct PNGAnimationControl {
    /// The number of bytes of the chunk's body.
    static let byteCount = 8

    /// The announced number of frames.
    let frameCount: Int
    /// The number of times that the animation plays; 0 means forever.
    let loopCount: Int
    /// The default image as the first frame; nil if it is not a frame.
    let defaultFrame: PNGFrameControl?

    /// Creates the announcement; nil if there is no animation.
    ///
    /// An animation that contradicts itself counts as a still image, and so does an animation whose only frame is the
    /// default image.
    /// - Parameters:
    ///   - body: The body of the acTL chunk, 8 bytes.
    ///   - frame: The body of the fcTL chunk before the pixels, 26 bytes; nil for none.
    ///   - canvas: The size of the default image.
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
