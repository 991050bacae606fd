#if PNG
import Calotype

/// A search for the frames of an animated PNG. It examines the headers of the chunks.
struct PNGFrameFinder {
    /// The reason why frames of a file are missing or may be incomplete.
    enum Flaw {
        /// The file ends early.
        case end
        /// A frame is damaged. Frames are numbered from 1. The text describes the damage.
        case damage(frame: Int, String)
    }

    private(set) var frames: [PNGAnimation.Frame] = []

    private let announcedCount: Int
    private let canvas: PixelSize
    private let bytes: PNGBytes
    /// The sequence number that the next fcTL or fdAT chunk must have.
    private var sequenceNumber = 0
    /// Whether pixels were found for the current frame, the last one in `frames`. Always true for the default image.
    private var hasPixels = false

    init(_ control: PNGAnimationControl, canvas: PixelSize, in bytes: PNGBytes) {
        announcedCount = control.frameCount
        self.canvas = canvas
        self.bytes = bytes
        guard let frame = control.defaultFrame else { return }
        frames.append(PNGAnimation.Frame(info: frame.info, place: nil))
        sequenceNumber = 1
        hasPixels = true
    }

    /// Finds the announced frames. Returns why frames are missing or may be incomplete; nil if all are complete.
    mutating func find(in chunks: PNGChunkWalker) -> Flaw? {
        var chunks = chunks
        while let chunk = chunks.next() {
            guard chunk.isValid else { return .damage(frame: max(1, frames.count), "a chunk states an invalid length") }
            switch chunk.type {
            case .frameControl, .end:
                guard frames.isEmpty || hasPixels else { return .damage(frame: frames.count, "it has no pixels") }
                guard frames.count < announcedCount else { return nil }
                guard chunk.type == .frameControl else { return .damage(frame: frames.count + 1, "it is missing") }
                if let flaw = takeFrame(chunk) { return flaw }
            case .framePixels:
                if let flaw = takePixels(chunk) { return flaw }
            case .pixels where frames.last?.place == nil:
                break
            case let type where !type.isAncillary:
                return .damage(frame: max(1, frames.count), "it contains a chunk of another kind")
            default:
                break
            }
            guard chunk.end <= bytes.byteCount else { return .end }
        }
        guard !chunks.isExhausted else { return .damage(frame: max(1, frames.count), "there are too many chunks") }
        // Perhaps only the end chunk is missing, but the last frame may also be incomplete.
        return .end
    }

    private mutating func takeFrame(_ chunk: PNGChunkHeader) -> Flaw? {
        guard chunk.end <= bytes.byteCount else { return .end }
        guard chunk.length == PNGFrameControl.byteCount, let body = bytes.body(of: chunk),
            let frame = PNGFrameControl(body, canvas: canvas)
        else { return .damage(frame: frames.count + 1, "its frame control chunk is invalid") }
        guard frame.sequenceNumber == sequenceNumber else {
            return .damage(frame: frames.count + 1, "a chunk before it is missing")
        }
        sequenceNumber += 1
        hasPixels = false
        let place = PNGAnimation.Place(start: chunk.end, sequenceNumber: sequenceNumber)
        frames.append(PNGAnimation.Frame(info: frame.info, place: place))
        return nil
    }

    /// Checks a chunk of pixels. Call this right after the header of the chunk was read.
    private mutating func takePixels(_ chunk: PNGChunkHeader) -> Flaw? {
        let frame = max(1, frames.count)
        guard chunk.length >= PNGFrameBytes.numberByteCount else {
            return .damage(frame: frame, "pixels have no sequence number")
        }
        guard let number = bytes.readNumber(UInt32.self) else { return .end }
        // The pixels of the default image are in chunks of another type.
        guard number == sequenceNumber, let last = frames.last, last.place != nil else {
            return .damage(frame: frame, "pixels are missing or out of order")
        }
        sequenceNumber += 1
        hasPixels = hasPixels || chunk.length > PNGFrameBytes.numberByteCount
        return nil
    }
}
#endif
