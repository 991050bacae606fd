#if PNG
import Calotype

/// Goes through the chunks of an animation, from the pixels of the default image on, and notes the frames.
struct PNGFrameFinder {
    /// Why there are fewer frames than announced.
    enum Flaw {
        /// The bytes end.
        case end
        /// Something is wrong in a frame, the first of which is 1.
        case damage(frame: Int, String)
    }

    private(set) var frames: [PNGAnimation.Frame] = []

    private let announcedCount: Int
    private let canvas: PixelSize
    private let bytes: PNGBytes
    /// The sequence number of the next chunk of animation.
    private var sequenceNumber = 0
    /// Whether a chunk was found of the last frame in which there is a byte of pixels.
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

    /// Finds the frames that are announced. More than these are not looked at, and nor is what follows them.
    mutating func find(in chunks: PNGChunkWalker) -> Flaw? {
        var chunks = chunks
        while let chunk = chunks.next() {
            guard chunk.isValid else { return .damage(frame: max(1, frames.count), "a chunk claims to be too long") }
            switch chunk.type {
            case .frameControl, .end:
                guard frames.isEmpty || hasPixels else { return .damage(frame: frames.count, "it has no pixels") }
                guard frames.count < announcedCount else { return nil }
                guard chunk.type == .frameControl else { return .damage(frame: frames.count + 1, "it is not there") }
                if let flaw = takeFrame(chunk) { return flaw }
            case .framePixels:
                if let flaw = takePixels(chunk) { return flaw }
            case .pixels where frames.last?.place == nil:
                break
            case let type where !type.isAncillary:
                return .damage(frame: max(1, frames.count), "a chunk of another kind is among its own")
            default:
                break
            }
            guard chunk.end <= bytes.byteCount else { return .end }
        }
        guard !chunks.isExhausted else { return .damage(frame: max(1, frames.count), "there are too many chunks") }
        // That of the file may be all that is missing; but more of the last frame may be.
        return .end
    }

    private mutating func takeFrame(_ chunk: PNGChunkHeader) -> Flaw? {
        guard chunk.end <= bytes.byteCount else { return .end }
        guard chunk.length == PNGFrameControl.byteCount, let body = bytes.body(of: chunk),
            let frame = PNGFrameControl(body, canvas: canvas)
        else { return .damage(frame: frames.count + 1, "what is said of it makes no sense") }
        guard frame.sequenceNumber == sequenceNumber else {
            return .damage(frame: frames.count + 1, "something before it is missing")
        }
        sequenceNumber += 1
        hasPixels = false
        let place = PNGAnimation.Place(start: chunk.end, sequenceNumber: sequenceNumber)
        frames.append(PNGAnimation.Frame(info: frame.info, place: place))
        return nil
    }

    /// To be asked where the chunk's header was just read.
    private mutating func takePixels(_ chunk: PNGChunkHeader) -> Flaw? {
        let frame = max(1, frames.count)
        guard chunk.length >= PNGFrameBytes.numberByteCount else {
            return .damage(frame: frame, "pixels without a number")
        }
        guard let number = bytes.readNumber(UInt32.self) else { return .end }
        // Those of the default image are in chunks of another kind.
        guard number == sequenceNumber, let last = frames.last, last.place != nil else {
            return .damage(frame: frame, "pixels are missing or in disorder")
        }
        sequenceNumber += 1
        hasPixels = hasPixels || chunk.length > PNGFrameBytes.numberByteCount
        return nil
    }
}
#endif
