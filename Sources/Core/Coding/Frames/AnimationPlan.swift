/// The consequences of how a file places the frames of an animation: the frame that each one builds upon, and the
/// canvases worth keeping.
///
/// The canvas that a frame is drawn on is what the frames before it have left. Not all of it matters: a frame that
/// covers everything needs no canvas, and those before it need not be decoded. One whose region becomes what it was
/// leaves nothing either, and one whose region becomes transparent leaves that, whatever it showed. Sources: PNG
/// Specification (Third Edition), section 11.3.6.2, and its kin in GIF89a and WebP. There, `previous` at the first
/// frame counts as `background`; that is the same on a canvas that is empty.
struct AnimationPlan: Sendable {
    /// The file.
    let info: ImageInfo
    /// Bytes of the canvases that are kept at most.
    let keptByteCount: Int

    private let steps: [Step]

    private struct Step: Sendable {
        /// Whether its pixels replace what is on the canvas.
        let isReplacing: Bool
        /// Whether they are the whole picture.
        let isWhole: Bool
        /// Whether the canvas it is drawn on is empty.
        let startsEmpty: Bool
        /// Whether the picture is known to be opaque.
        let isOpaque: Bool
        /// The frame to begin with to show this one, with an empty canvas.
        let start: Int
        /// Whether any frame needs the canvas that it is drawn on.
        var needsCanvas = false
        /// Whether that canvas is kept once it has been made.
        var isKey = false
    }

    /// The memory that the canvases of an animation may take, unless a single one takes more: enough for all of 50
    /// frames of 640x480, and for every thirtieth of 200 frames of 1920x1080.
    static let canvasBudget = 64 << 20

    /// The most pictures as large as the canvas that are in memory at once while all frames are made and written: the
    /// first one, the canvas, the frame, what an encoder makes of it, and three that libwebp compares.
    static let picturesAtOnce = 7

    /// Returns the memory that canvases may take for an animation whose shown frames have so many bytes, which is no
    /// more than all shown frames take. Small thumbnails do not keep many times what they show.
    static func budget(forShown byteCount: Int, frameCount: Int) -> Int {
        let (sum, overflow) = byteCount.multipliedReportingOverflow(by: frameCount)
        return overflow ? canvasBudget : min(canvasBudget, sum)
    }

    /// A plan that keeps no canvas.
    init(_ info: ImageInfo) {
        self.init(info, keptByteCount: 0, steps: Self.steps(of: info))
    }

    /// A plan that keeps the latest canvas and, evenly spread, as many others as `budget` has room for.
    init(_ info: ImageInfo, format: PixelFormat, budget: Int = canvasBudget) {
        var steps = Self.steps(of: info)
        let needed = steps.indices.filter { steps[$0].needsCanvas }
        guard !needed.isEmpty else {
            self.init(info, keptByteCount: 0, steps: steps)
            return
        }
        let canvasByteCount = PixelLayout(size: info.pixelSize, format: format).byteCount
        let keyCount = min(needed.count, max(1, budget / canvasByteCount) - 1)
        if keyCount > 0 {
            let spacing = (needed.count + keyCount - 1) / keyCount
            for place in stride(from: spacing - 1, to: needed.count, by: spacing) { steps[needed[place]].isKey = true }
        }
        // More than one canvas only where all are within the budget.
        self.init(info, keptByteCount: canvasByteCount * (keyCount + 1), steps: steps)
    }

    private init(_ info: ImageInfo, keptByteCount: Int, steps: [Step]) {
        self.info = info
        self.keptByteCount = keptByteCount
        self.steps = steps
    }

    /// Whether the pixels of a frame replace what is on the canvas.
    func isReplacing(_ frame: Int) -> Bool { steps[frame].isReplacing }
    /// Whether a frame's own pixels are the whole picture.
    func isWhole(_ frame: Int) -> Bool { steps[frame].isWhole }
    /// Whether the picture at a frame is known to be opaque.
    func isOpaque(_ frame: Int) -> Bool { steps[frame].isOpaque }
    /// The frame to begin with, on an empty canvas, to show `frame`.
    func start(of frame: Int) -> Int { steps[frame].start }
    /// Returns the number of pixels that are made to show `frame` alone: those of its region, and of the regions that
    /// are drawn or cleared before it. Saturates.
    func pixelCount(upTo frame: Int) -> Int {
        info.frames[steps[frame].start..<frame].reduce(info.frames[frame].region.size.area) { sum, placing in
            guard placing.disposal != .previous else { return sum }
            let (total, overflow) = sum.addingReportingOverflow(placing.region.size.area)
            return overflow ? .max : total
        }
    }
    /// Whether any frame needs the canvas that a frame is drawn on; none does behind the last frame.
    func needsCanvas(of frame: Int) -> Bool { steps.indices.contains(frame) && steps[frame].needsCanvas }
    /// Whether the canvas that a frame is drawn on is kept once it has been made.
    func isKey(_ frame: Int) -> Bool { steps.indices.contains(frame) && steps[frame].isKey }
    /// Whether the next frame is drawn on what this one shows.
    func isBuiltUpon(_ frame: Int) -> Bool {
        info.frames[frame].disposal == .keep && needsCanvas(of: frame + 1)
    }

    private static func steps(of info: ImageInfo) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(info.frames.count)
        // What the frames so far have left.
        var (isEmpty, isOpaque, start) = (true, false, 0)
        for (index, frame) in info.frames.enumerated() {
            let isFull = frame.region.size == info.pixelSize
            let isReplacing = isEmpty || frame.blend == .source || !info.hasAlpha
            let isWhole = isFull && isReplacing
            let isShownOpaque = info.hasAlpha ? isOpaque && frame.blend == .over : isOpaque || isFull
            steps.append(
                Step(
                    isReplacing: isReplacing, isWhole: isWhole, startsEmpty: isEmpty, isOpaque: isShownOpaque,
                    start: isEmpty || isWhole ? index : start))
            if isEmpty || (isWhole && frame.disposal == .keep) { start = index }
            switch frame.disposal {
            case .keep: (isEmpty, isOpaque) = (false, isShownOpaque)
            case .background: (isEmpty, isOpaque) = (isEmpty || isFull, false)
            case .previous: break
            }
        }
        for index in steps.indices.reversed() {
            let passesOn = info.frames[index].disposal == .previous && index + 1 < steps.count
            let isNeededLater = passesOn && steps[index + 1].needsCanvas
            steps[index].needsCanvas = !steps[index].startsEmpty && (!steps[index].isWhole || isNeededLater)
        }
        return steps
    }
}
