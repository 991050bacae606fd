#if PNG
import Calotype

/// What is said of an animation before the pixels: how many frames it has, and of which the default image is.
///
/// Source: W3C PNG, third edition, section 11.3.6.
struct PNGAnimationControl {
    /// How long the chunk's body is.
    static let byteCount = 8

    /// How many frames are announced.
    let frameCount: Int
    /// How often they play; 0 is for ever.
    let loopCount: Int
    /// The default image as the first frame; nil when it is none.
    let defaultFrame: PNGFrameControl?

    /// Nil for what is no animation: one that contradicts itself counts as a still, and so does one whose only frame is
    /// the default image.
    /// - Parameters:
    ///   - body: That of the acTL chunk, 8 bytes.
    ///   - frame: The body of the fcTL chunk before the pixels, 26 bytes; nil without one.
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
