/// The canvases of an animation that are kept, so that not every frame is made from the first one on. Thread-safe.
///
/// The latest is lent out and drawn on: frames that are asked for in order cost one decode each, and a copy of the
/// canvas only while somebody has the frame before. Going to any other frame keeps the key canvases, evenly spread,
/// that are passed on the way: the next time it takes at most as many decodes as there are from one key to the next. So
/// a film that is played or written keeps no more than one.
final class CanvasStore: Sendable {
    private struct State {
        /// The canvas that a frame is drawn on.
        var latest: (frame: Int, canvas: Canvas)?
        var keys: [Int: PixelBuffer] = [:]
    }

    private let plan: AnimationPlan
    private let state = Lock(State())

    init(plan: AnimationPlan) {
        self.plan = plan
    }

    /// The canvas of the last frame behind `start` and up to `frame` of which one is kept; it is the caller's alone.
    func take(after start: Int, upTo frame: Int) throws(ImageError) -> (frame: Int, canvas: Canvas)? {
        guard start < frame else { return nil }
        let found = state.withLock { state -> (latest: (frame: Int, canvas: Canvas)?, key: (Int, PixelBuffer)?) in
            for place in stride(from: frame, to: start, by: -1) {
                if let latest = state.latest, latest.frame == place {
                    state.latest = nil
                    return (latest, nil)
                }
                if let key = state.keys[place] { return (nil, (place, key)) }
            }
            return (nil, nil)
        }
        if let (place, key) = found.key { return (place, try Canvas(key)) }
        try found.latest?.canvas.detach()
        return found.latest
    }

    /// Keeps a copy of the canvas that `frame` is drawn on, where it is a key that is not there yet.
    func keepKey(_ canvas: Canvas?, of frame: Int) {
        guard let canvas, plan.isKey(frame), state.withLock({ $0.keys[frame] == nil }) else { return }
        // Without memory for it there is a key less, and the frame all the same.
        guard let copy = try? canvas.pixels(in: PixelRegion(size: canvas.layout.size)) else { return }
        keep(copy, of: frame)
    }

    /// Keeps pixels that are there anyway as the canvas that `frame` is drawn on.
    func keep(_ pixels: PixelBuffer, of frame: Int) {
        // The one before is let go after unlocking.
        _ = state.withLock { $0.keys.updateValue(pixels, forKey: frame) }
    }

    /// Keeps a canvas that its maker will not touch any more as the latest: `frame` is drawn on it. Pictures may share
    /// its memory.
    func keepLatest(_ canvas: Canvas, of frame: Int) {
        // The one before is let go after unlocking: giving memory back takes its time.
        let former = state.withLock { state -> Canvas? in
            defer { state.latest = (frame, canvas) }
            return state.latest?.canvas
        }
        withExtendedLifetime(former) {}
    }
}
