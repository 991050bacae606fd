/// A store of canvases of an animation, so that a frame can be drawn without drawing all frames before it. Thread-safe.
///
/// The store keeps the latest canvas, which suffices if frames are requested in order. When a frame is requested out of
/// order, the store also keeps some of the canvases of earlier frames, the key canvases.
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

    /// Returns the last frame of `start + 1...frame` whose canvas is kept, and that canvas; nil if none is kept.
    ///
    /// The canvas is taken out of the store or copied, so that the caller is its only owner.
    func take(after start: Int, upTo frame: Int) throws(ImageError) -> (frame: Int, canvas: Canvas)? {
        guard start < frame else { return nil }
        // Unchecked: a canvas is only returned after it has been taken out of the state.
        let found = state.withLockUnchecked {
            state -> (latest: (frame: Int, canvas: Canvas)?, key: (Int, PixelBuffer)?) in
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
