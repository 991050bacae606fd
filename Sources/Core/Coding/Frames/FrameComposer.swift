/// A decoder that draws the frames of an animation on a canvas, and gives whole pictures. Used by one thread at a time.
struct FrameComposer: ImageDecoder {
    /// The decoder that gives frames as the file stores them.
    let decoder: any ImageDecoder
    let plan: AnimationPlan
    /// The store of canvases; nil to keep no canvas.
    let store: CanvasStore?
    /// Whether an incomplete frame is passed to the sink, as far as it could be decoded, before its error is thrown.
    let allowsPartial: Bool
    /// Whether the decoder is known to write all pixels of a frame or to throw.
    let writesAll: Bool

    var info: ImageInfo { plan.info }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        guard !isDirect(frame) else {
            do {
                return try decoder.decode(frame: frame, into: &sink, job: job)
            } catch {
                throw ImageError.decoding(frame: frame, of: frame, error)
            }
        }
        let drawn = try drawn(frame, job: job)
        try drawn.canvas.give(to: &sink, isOpaque: plan.isOpaque(frame) && drawn.damage == nil)
        if let damage = drawn.damage { throw damage }
        keep(drawn, after: frame)
    }

    /// Returns whether a frame needs no canvas: it is the whole picture, and no canvas is kept for the next frame.
    func isDirect(_ frame: Int) -> Bool { plan.isWhole(frame) && (store == nil || !plan.isBuiltUpon(frame)) }

    /// Returns the whole picture at a frame. Drawing later frames does not change it. Throws if a part is missing.
    /// - Parameter hasUncheckedClaims: Whether external code may have wrongly declared the pixels opaque or gray.
    func picture(of frame: Int, hasUncheckedClaims: Bool, job: Job) throws -> PixelBuffer {
        let drawn = try drawn(frame, job: job)
        if let damage = drawn.damage { throw damage }
        let picture = drawn.canvas.picture(isOpaque: plan.isOpaque(frame), hasUncheckedClaims: hasUncheckedClaims)
        keep(drawn, after: frame)
        return picture
    }

    /// A frame on its canvas.
    private struct Drawn {
        let canvas: Canvas
        /// The error after which only a part of the frame was drawn; nil if the frame is complete.
        let damage: ImageError?
        /// The pixels of the frame's region before it was drawn, if the next frame needs them.
        let former: PixelBuffer?
        let wasGray: Bool
    }

    /// Returns whether the canvas is kept after a frame, because the next one is drawn on it.
    private func isKept(after frame: Int) -> Bool { store != nil && plan.needsCanvas(of: frame + 1) }

    /// Draws a frame on the canvas that the frames before it have left.
    private func drawn(_ frame: Int, job: Job) throws -> Drawn {
        var canvas = try canvas(of: frame, job: job)
        let placing = info.frames[frame]
        let wasGray = canvas?.isGray ?? true
        let isRestored = isKept(after: frame) && placing.disposal == .previous
        let former = try isRestored ? canvas?.pixels(in: placing.region) : nil
        let damage = try draw(frame, of: frame, on: &canvas, job: job)
        guard let canvas else { throw ImageError.rowsMissing(0, of: placing.region.size.height) }
        return Drawn(canvas: canvas, damage: damage, former: former, wasGray: wasGray)
    }

    /// Keeps the canvas if the next frame is drawn on it. Keeps nothing if that requires a copy for which there is no
    /// memory.
    private func keep(_ drawn: Drawn, after frame: Int) {
        guard isKept(after: frame) else { return }
        let placing = info.frames[frame]
        let canvas = drawn.canvas
        if placing.disposal != .keep {
            guard (try? canvas.detach()) != nil else { return }
            if let former = drawn.former {
                canvas.put(former, at: placing.region)
            } else {
                canvas.clear(placing.region)
            }
            canvas.isGray = drawn.wasGray
        }
        store?.keepLatest(canvas, of: frame + 1)
    }

    /// Returns the canvas that a frame is drawn on; nil if the canvas is empty, or if the frame replaces all of it.
    private func canvas(of frame: Int, job: Job) throws -> Canvas? {
        var place = plan.start(of: frame)
        var canvas: Canvas?
        if let kept = try store?.take(after: place, upTo: frame) { (place, canvas) = (kept.frame, kept.canvas) }
        while place < frame {
            try job.check()
            let placing = info.frames[place]
            switch placing.disposal {
            case .keep: _ = try draw(place, of: frame, on: &canvas, job: job)
            case .background: canvas?.clear(placing.region)
            case .previous: break
            }
            place += 1
            store?.keepKey(canvas, of: place)
        }
        return canvas
    }

    /// Draws frame `index` on the canvas of the frames before it, in order to show frame `shown`. Returns nil, or the
    /// error after which only a part of the frame was drawn.
    private func draw(_ index: Int, of shown: Int, on canvas: inout Canvas?, job: Job) throws -> ImageError? {
        let keepsPart = allowsPartial && index == shown
        var drawing = CanvasSink(
            canvas: canvas, size: info.pixelSize, region: info.frames[index].region,
            isReplacing: plan.isReplacing(index), keepsPart: keepsPart, writesAll: writesAll, job: job)
        do {
            try decoder.decode(frame: index, into: &drawing, job: job)
            try drawing.checkCompleteness()
            canvas = drawing.canvas
            return nil
        } catch {
            let error = ImageError.decoding(frame: index, of: shown, error)
            guard keepsPart, error.isDamage, drawing.hasPart else { throw error }
            canvas = drawing.canvas
            return error
        }
    }
}
