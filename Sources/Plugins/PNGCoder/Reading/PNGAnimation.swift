#if PNG
import Calotype

/// The frames of an animated PNG and their positions in the file, from one pass over the headers of its chunks.
struct PNGAnimation {
    /// A frame.
    struct Frame {
        var info: FrameInfo
        /// The position of the pixels; nil for the default image.
        let place: Place?
    }

    /// The position of the pixels of a frame other than the default image.
    struct Place {
        /// The offset of the first chunk that may contain the pixels.
        let start: Int
        /// The expected sequence number of the first chunk of pixels.
        let sequenceNumber: Int
    }

    private(set) var frames: [Frame] = []
    let loopCount: Int
    /// The reason why there are fewer complete frames than announced; nil if all are complete.
    let failure: ImageError?
    private let canvas: PixelSize

    /// Finds the frames. If there is damage before the first frame, the result is empty.
    /// - Parameters:
    ///   - control: The announcement in the header.
    ///   - header: The header.
    ///   - bytes: The file.
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
            // A single frame may have complete rows.
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

    /// Whether there is no frame other than the default image.
    var isStill: Bool { frames.allSatisfy { $0.place == nil } }

    /// Whether a pixel of the canvas can be transparent although the pixels of all frames are opaque.
    var leavesGaps: Bool { frames.map(\.info).leaveGaps(on: canvas) }
}
#endif
