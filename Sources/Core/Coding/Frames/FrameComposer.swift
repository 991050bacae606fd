/// Gives the frames of an animation as whole pictures: drawn on what the frames before them have left.
///
/// A frame that is the whole picture by itself goes from the decoder to the sink without a canvas, unless the canvas is
/// wanted for the next one. Used by one thread at a time.
struct FrameComposer: ImageDecoder {
    /// Gives frames as the file has them.
    let decoder: any ImageDecoder
    let plan: AnimationPlan
    /// Where canvases are kept; nil for none.
    let store: CanvasStore?
    /// Whether a frame that breaks off is given as far as it goes, before the error is thrown.
    let allowsPartial: Bool

    var info: ImageInfo { plan.info }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        if plan.isWhole(frame), store == nil || !plan.isBuiltUpon(frame) {
            do {
                return try decoder.decode(frame: frame, into: &sink, job: job)
            } catch {
                throw ImageError.decoding(frame: frame, of: frame, error)
            }
        }
        var canvas = try canvas(of: frame, job: job)
        let placing = info.frames[frame]
        let isKept = store != nil && plan.needsCanvas(of: frame + 1)
        let wasGray = canvas?.isGray ?? true
        let former = try isKept && placing.disposal == .previous ? canvas?.pixels(in: placing.region) : nil
        let damage = try draw(frame, of: frame, on: &canvas, job: job)
        guard let canvas else { return }
        try give(canvas, isOpaque: plan.isOpaque(frame) && damage == nil, to: &sink)
        if let damage { throw damage }
        guard isKept else { return }
        if placing.disposal != .keep {
            if let former { canvas.put(former, at: placing.region) } else { canvas.clear(placing.region) }
            canvas.isGray = wasGray
        }
        store?.keepLatest(canvas, of: frame + 1)
    }

    /// The canvas that a frame is drawn on; nil where it is empty, or does not matter.
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

    /// Draws a frame on the canvas of the frames before it.
    ///
    /// - Parameters:
    ///   - index: The frame to draw.
    ///   - shown: The frame that is asked for.
    /// - Returns: What kept the frame that is asked for from being drawn as a whole, where a part of it is allowed.
    private func draw(_ index: Int, of shown: Int, on canvas: inout Canvas?, job: Job) throws -> ImageError? {
        let keepsPart = allowsPartial && index == shown
        var drawing = CanvasSink(
            canvas: canvas, size: info.pixelSize, region: info.frames[index].region,
            isReplacing: plan.isReplacing(index), keepsPart: keepsPart, job: job)
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

    /// Gives the rows of a canvas to a sink.
    private func give(_ canvas: Canvas, isOpaque: Bool, to sink: inout some RowSink & ~Copyable) throws {
        var layout = canvas.layout
        layout.isOpaque = isOpaque
        layout.isGray = canvas.isGray
        try sink.begin(layout)
        for y in 0..<layout.size.height {
            try sink.row(y) { canvas.copyRow(y, into: &$0) }
        }
    }
}
