/// A plan for drawing an animation: which earlier frames each frame builds upon, and which canvases to keep.
///
/// The canvas is the picture that earlier frames have left, and on which the next frame is drawn. The plan skips
/// earlier frames that do not affect the canvas.
///
/// Sources: PNG Specification (Third Edition), section 11.3.6.2, and its counterparts in GIF89a and WebP. In PNG,
/// `previous` for the first frame counts as `background`; on an empty canvas, both have the same effect.
struct AnimationPlan: Sendable {
    /// The properties of the animation's file, including its frames.
    let info: ImageInfo
    /// The maximum number of bytes that the kept canvases take.
    let keptByteCount: Int

    private let steps: [Step]

    private struct Step: Sendable {
        /// Whether the frame's pixels replace those of the canvas.
        let isReplacing: Bool
        /// Whether the frame's own pixels are the whole picture.
        let isWhole: Bool
        /// Whether the canvas that this frame is drawn on is empty.
        let startsEmpty: Bool
        /// Whether the picture at this frame is known to be opaque.
        let isOpaque: Bool
        /// The first frame that must be drawn, on an empty canvas, in order to show this frame.
        let start: Int
        /// Whether this frame, or a later one, needs the canvas that this frame is drawn on.
        var needsCanvas = false
        /// Whether the canvas that this frame is drawn on is kept once it has been made.
        var isKey = false
    }

    /// The maximum number of bytes of the canvases that an animation keeps: 64 MiB. A single canvas may exceed it.
    ///
    /// The budget suffices for all canvases of 50 frames of 640x480, with 8 bits per channel.
    static let canvasBudget = 64 << 20

    /// The maximum number of canvas-sized pictures in memory at once while all frames are made and written: the first
    /// frame, the canvas, the current frame, the encoder's version of it, and three that libwebp compares.
    static let picturesAtOnce = 7

    /// Returns the maximum memory for canvases, in bytes: ``canvasBudget``, or the memory of all shown frames together
    /// if that is less, as for small thumbnails.
    /// - Parameter byteCount: The number of bytes that each shown frame takes.
    static func budget(forShown byteCount: Int, frameCount: Int) -> Int {
        let (sum, overflow) = byteCount.multipliedReportingOverflow(by: frameCount)
        return overflow ? canvasBudget : min(canvasBudget, sum)
    }

    /// Creates a plan that keeps no canvas.
    init(_ info: ImageInfo) {
        self.init(info, keptByteCount: 0, steps: Self.steps(of: info))
    }

    /// Creates a plan that keeps the latest canvas, and as many others, evenly spread, as fit into `budget` bytes.
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
        // Several canvases are always within the budget; a single one may exceed it.
        self.init(info, keptByteCount: canvasByteCount * (keyCount + 1), steps: steps)
    }

    private init(_ info: ImageInfo, keptByteCount: Int, steps: [Step]) {
        self.info = info
        self.keptByteCount = keptByteCount
        self.steps = steps
    }

    /// Returns whether the pixels of a frame replace those of the canvas.
    func isReplacing(_ frame: Int) -> Bool { steps[frame].isReplacing }
    /// Returns whether a frame's own pixels are the whole picture.
    func isWhole(_ frame: Int) -> Bool { steps[frame].isWhole }
    /// Returns whether the picture at a frame is known to be opaque.
    func isOpaque(_ frame: Int) -> Bool { steps[frame].isOpaque }
    /// Returns the first frame that must be drawn, on an empty canvas, in order to show `frame`.
    func start(of frame: Int) -> Int { steps[frame].start }
    /// Returns the number of pixels that are drawn or cleared in order to show `frame` alone, including those of
    /// earlier frames. Saturates at `Int.max`.
    func pixelCount(upTo frame: Int) -> Int {
        info.frames[steps[frame].start..<frame].reduce(info.frames[frame].region.size.area) { sum, placing in
            guard placing.disposal != .previous else { return sum }
            let (total, overflow) = sum.addingReportingOverflow(placing.region.size.area)
            return overflow ? .max : total
        }
    }
    /// Returns whether any frame needs the canvas that `frame` is drawn on; false for a frame after the last one.
    func needsCanvas(of frame: Int) -> Bool { steps.indices.contains(frame) && steps[frame].needsCanvas }
    /// Returns whether the canvas that a frame is drawn on is kept once it has been made.
    func isKey(_ frame: Int) -> Bool { steps.indices.contains(frame) && steps[frame].isKey }
    /// Returns whether the next frame is drawn on the picture of this one.
    func isBuiltUpon(_ frame: Int) -> Bool {
        info.frames[frame].disposal == .keep && needsCanvas(of: frame + 1)
    }

    private static func steps(of info: ImageInfo) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(info.frames.count)
        // The state of the canvas after the frames so far.
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
