#if PNG
import Calotype

/// The frames of an animated PNG and the positions of their pixels in the file.
struct PNGAnimation {
    /// A frame of an animation.
    struct Frame {
        var info: FrameInfo
        /// The position of the frame's pixels; nil if the frame is the default image.
        let place: Place?
    }

    /// The position of the pixels of a frame that is not the default image.
    struct Place {
        /// The offset in the file of the first chunk that may contain pixels of the frame.
        let start: Int
        /// The sequence number that the frame's first chunk of pixels must have.
        let sequenceNumber: Int
    }

    private(set) var frames: [Frame] = []
    let loopCount: Int
    /// The reason why announced frames are missing or may be incomplete. Nil if all announced frames are complete, or
    /// if the animation is damaged before its first frame.
    let failure: ImageError?
    private let canvas: PixelSize

    /// Finds the frames. If the animation is damaged before its first frame, `frames` is empty and `failure` is nil, so
    /// that the picture is read as a still image.
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
                advice: "get an intact copy of the file")
            // The only frame is kept, because it may have complete rows.
            if frame == frames.count, frame > 1 { frames.removeLast() }
        case .end?:
            failure = ImageError(
                .badData, stage: .decode,
                message: "is truncated: it ends in frame \(max(1, frames.count)) of \(control.frameCount)",
                advice: "get a complete copy of the file")
            if frames.count > 1 { frames.removeLast() }
        default:
            failure = nil
        }
        // The first frame has no previous canvas to restore.
        if frames.first?.info.disposal == .previous { frames[0].info.disposal = .background }
    }

    /// Whether the animation has no frames other than the default image.
    var isStill: Bool { frames.allSatisfy { $0.place == nil } }

    /// Whether at some time a part of the canvas is not covered by any frame. Such a part is transparent.
    var leavesGaps: Bool { frames.map(\.info).leaveGaps(on: canvas) }
}
#endif
