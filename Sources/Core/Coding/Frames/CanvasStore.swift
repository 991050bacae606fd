/// A store of canvases of an animation. With a stored canvas, a frame can be drawn without drawing all frames before
/// it. Thread-safe.
///
/// The store lends out the latest canvas, and the caller draws the next frame on it. If frames are requested in order,
/// each costs one decode, plus a copy of the canvas if the previous frame is still referenced. If a frame is requested
/// out of order, the earlier frames that it builds upon are drawn first. While they are drawn, the store keeps the
/// canvases of some evenly spread frames, the key canvases. A later request for a frame in that range then takes at
/// most as many decodes as there are frames from one key canvas to the next. An animation that is played or written in
/// order keeps a single canvas.
final class CanvasStore: Sendable {
    private struct State {
        /// The latest canvas, and the index of the frame that is to be drawn on it.
        var latest: (frame: Int, canvas: Canvas)?
        var keys: [Int: PixelBuffer] = [:]
    }

    private let plan: AnimationPlan
    private let state = Lock(State())

    init(plan: AnimationPlan) {
        self.plan = plan
    }

    /// Returns the last frame whose canvas is kept, and the canvas on which that frame is to be drawn. Considers only
    /// the frames after `start`, up to and including `frame`. Returns nil if none of their canvases is kept.
    ///
    /// The caller becomes the only owner of the canvas. The latest canvas is removed from the store, and a key canvas
    /// is copied.
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

    /// Keeps a copy of the canvas that `frame` is drawn on, if it is a key canvas that is not kept yet.
    func keepKey(_ canvas: Canvas?, of frame: Int) {
        guard let canvas, plan.isKey(frame), state.withLock({ $0.keys[frame] == nil }) else { return }
        // If there is no memory for the copy, the store has one key canvas fewer, but the frame is still made.
        guard let copy = try? canvas.pixels(in: PixelRegion(size: canvas.layout.size)) else { return }
        keep(copy, of: frame)
    }

    /// Keeps `pixels` as the canvas that `frame` is drawn on, without copying them.
    func keep(_ pixels: PixelBuffer, of frame: Int) {
        // The replaced pixels are released after unlocking.
        _ = state.withLock { $0.keys.updateValue(pixels, forKey: frame) }
    }

    /// Keeps a canvas as the latest one, on which `frame` is to be drawn. The caller must not draw on it any more.
    /// Pictures may share its memory.
    func keepLatest(_ canvas: Canvas, of frame: Int) {
        // Unchecked: the caller does not use the canvas any more.
        // The replaced canvas is released after unlocking: giving memory back takes time.
        let former = state.withLockUnchecked { state -> Canvas? in
            defer { state.latest = (frame, canvas) }
            return state.latest?.canvas
        }
        withExtendedLifetime(former) {}
    }
}
