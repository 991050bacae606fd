#if PNG
import Calotype

/// The frames of an animated PNG, and where in the file they are: found by one walk over the headers of its chunks.
struct PNGAnimation {
    /// One frame.
    struct Frame {
        var info: FrameInfo
        /// The place of its pixels; nil for the default image.
        let place: Place?
    }

    /// The place of the pixels of a frame that is not the default image.
    struct Place {
        /// The start of the chunks among which its pixels are.
        let start: Int
        /// The sequence number of the first of those.
        let sequenceNumber: Int
    }

    private(set) var frames: [Frame] = []
    let loopCount: Int
    /// Why these are fewer frames than announced, of which the chunks are all there; nil when they are not.
    let failure: ImageError?
    private let canvas: PixelSize

    /// Finds the frames. What is damaged before the first of them leaves none.
    /// - Parameters:
    ///   - control: What the header announces.
    ///   - header: What stands before the pixels.
    init(_ control: PNGAnimationControl, of header: PNGHeader, in bytes: PNGBytes) {
        loopCount = control.loopCount
        canvas = header.info.pixelSize
        var finder = PNGFrameFinder(control, canvas: canvas, in: bytes)
        let flaw = finder.find(in: PNGChunkWalker(bytes, from: header.pixelOffset, frameCount: control.frameCount))
        frames = finder.frames
        switch flaw {
        case .damage(let frame, let what)? where !frames.isEmpty:
            failure = ImageError(
                .badData, stage: .decode, message: "is damaged in frame \(frame) of \(control.frameCount): \(what)",
                advice: "get it again from where it came")
            // Of a single one there may be rows.
            if frame == frames.count, frame > 1 { frames.removeLast() }
        case .end?:
            failure = ImageError(
                .badData, stage: .decode, message: "ends in frame \(max(1, frames.count)) of \(control.frameCount)",
                advice: "it was cut off: get it again from where it came")
            if frames.count > 1 { frames.removeLast() }
        default:
            failure = nil
        }
        // There is nothing that could come back.
        if frames.first?.info.disposal == .previous { frames[0].info.disposal = .background }
    }

    /// Whether there is no frame but the default image.
    var isStill: Bool { frames.allSatisfy { $0.place == nil } }

    /// Whether a pixel of the canvas can be transparent though those of all frames are opaque.
    var leavesGaps: Bool { frames.map(\.info).leaveGaps(on: canvas) }
}
#endif
