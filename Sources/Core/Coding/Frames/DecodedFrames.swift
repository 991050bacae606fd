/// The frames of an animation, decoded from its file when they are asked for.
///
/// Any frame, in any order, by several threads at once. Frames that are asked for in order cost one decode each. Any
/// other costs as many as there are from the nearest frame that needs no other, or of which the canvas is kept.
/// Canvases are kept of the frames that are passed on the way to another one; how many is bounded
/// (``AnimationPlan/canvasBudget``), and all of them are where that suffices.
final class DecodedFrames: FrameSource {
    let byteCount: Int

    private let first: PixelBuffer
    private let bytes: ImageBytes
    private let coder: any ImageCoder
    private let options: DecodeOptions
    private let plan: AnimationPlan
    private let canvases: CanvasStore
    private let time: any TimeSource
    private let makeConverter: ConverterFactory
    /// Whether frames are shown as they lie on the canvas: nothing is done to their pixels.
    private let isVerbatim: Bool
    /// Decoders that are not in use.
    private let idle = Lock<[any ImageDecoder]>([])

    /// Gives, for one decode, what ``RowPipeline`` asks for a converter.
    typealias ConverterFactory =
        @Sendable () -> (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?

    /// More of them would be kept for threads that hardly ever come at once.
    private static let idleLimit = 2

    /// The frames of a file whose first one is decoded.
    ///
    /// Reads what of the bytes is not in memory yet: a file that stayed open for every image in a cache would be one
    /// too many.
    /// - Parameters:
    ///   - first: The first frame.
    ///   - info: The properties of the file.
    ///   - bytes: The file.
    ///   - coder: The coder, which makes decoders of the file.
    ///   - options: The options of the decodes.
    ///   - time: The clock that the context's `decodeTimeout` is measured by, for each frame.
    ///   - budget: The memory that canvases may take, unless a single one takes more; nil for the default.
    ///   - makeConverter: Brings the colours of each frame to the target profile.
    init(
        _ first: DecodedFrame, of info: ImageInfo, in bytes: ImageBytes, by coder: any ImageCoder,
        options: DecodeOptions, time: any TimeSource, budget: Int? = nil, makeConverter: @escaping ConverterFactory
    ) throws(ImageError) {
        _ = try bytes.whole()
        self.first = first.pixels
        self.bytes = bytes
        self.coder = coder
        self.options = options
        self.time = time
        self.makeConverter = makeConverter
        // A profile that was not converted for the first frame may be for others.
        isVerbatim = first.isVerbatim && (info.profile == .sRGB || options.context[.keepsProfile])
        plan = AnimationPlan(
            info, format: first.sourceFormat,
            budget: budget
                ?? AnimationPlan.budget(
                    forShown: first.pixels.byteCount, frameCount: options.shownFrameCount(of: info)))
        canvases = CanvasStore(plan: plan)
        let (sum, overflow) = bytes.byteCount.addingReportingOverflow(plan.keptByteCount)
        byteCount = overflow ? .max : sum
        // What is shown first is what the next frame is drawn on, where it is the file's own pixels.
        if first.isVerbatim, !first.isPartial, plan.isBuiltUpon(0) { canvases.keep(first.pixels, of: 1) }
    }

    /// Whether the coder may have said of a frame what was not checked.
    var hasUncheckedClaims: Bool { !options.trustsDecoder }

    var frameCount: Int { plan.info.frameCount }
    var loopCount: Int { plan.info.loopCount }

    func duration(ofFrame index: Int) -> Duration { plan.info.frames[index].duration }

    func frame(_ index: Int, job: Job) throws -> PixelBuffer {
        guard (0..<frameCount).contains(index) else { throw ImageError.noSuchFrame(index, of: frameCount) }
        guard index > 0 else { return first }
        let job = job.decoding(options.context, time: time)
        do {
            let decoder = try idleDecoder()
            let composer = FrameComposer(
                decoder: decoder, plan: plan, store: canvases, allowsPartial: false, writesAll: options.trustsDecoder)
            let pixels =
                isVerbatim && !composer.isDirect(index)
                ? try picture(of: index, from: composer, job: job)
                : try finishedPicture(of: index, from: composer, job: job)
            keepIdle(decoder)
            return pixels
        } catch {
            var error = ImageError.wrapping(
                error, as: .badData, stage: .decode, component: coder.name,
                message: "frame \(index) could not be decoded")
            // More bytes will not come.
            if error.code == .incomplete { error.code = .badData }
            throw error
        }
    }

    /// Returns a frame as it lies on the canvas.
    private func picture(of index: Int, from composer: FrameComposer, job: Job) throws -> PixelBuffer {
        let pixels = try composer.picture(of: index, hasUncheckedClaims: hasUncheckedClaims, job: job)
        guard pixels.format == first.format else {
            throw ImageError.sinkMisuse("frames of more than one pixel format")
        }
        return pixels
    }

    /// Returns a frame of the size, depth and colours that are asked for.
    private func finishedPicture(of index: Int, from composer: FrameComposer, job: Job) throws -> PixelBuffer {
        // A part of a frame is no frame: the options allow it where a single one is decoded.
        var options = options
        options.allowsPartial = false
        return try RowPipeline.decode(
            index, of: plan.info, by: composer, options: options, job: job, makeConverter: makeConverter()
        ).pixels
    }

    /// Keeps a decoder for the next call: it has read the file's head already.
    private func keepIdle(_ decoder: any ImageDecoder) {
        idle.withLock { idle in
            if idle.count < Self.idleLimit { idle.append(decoder) }
        }
    }

    private func idleDecoder() throws -> any ImageDecoder {
        if let decoder = idle.withLock({ $0.popLast() }) { return decoder }
        guard let decoder = try coder.decoder(for: bytes, options: options) else {
            throw ImageError(
                .badData, stage: .decode, message: "the coder does not know the bytes any more",
                advice: "report it to the coder's author")
        }
        return decoder
    }
}
