/// The frames of an animation, decoded from its file on demand.
///
/// Frames can be requested in any order, and by several threads at once. If they are requested in order, each costs one
/// decode. A frame that is requested out of order can cost more, because the frames that it builds upon may have to be
/// decoded first.
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
    /// Whether frames are shown with the unchanged pixels of the canvas.
    private let isVerbatim: Bool
    /// The decoders that are not in use.
    private let idle = Lock<[any ImageDecoder]>([])

    /// A function that makes the `makeConverter` closure of a ``RowPipeline``. Called once for each decode.
    typealias ConverterFactory =
        @Sendable () -> (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?

    /// The maximum number of idle decoders. Few animations are decoded by more threads at once.
    private static let idleLimit = 2

    /// Creates the frames of a file whose first frame has been decoded. Reads all bytes of the file into memory, so
    /// that an image in a cache does not keep its file open.
    /// - Parameters:
    ///   - time: The clock of the context's `decodeTimeout`, which applies to each frame.
    ///   - budget: The maximum memory for canvases, in bytes; nil for the default. A single canvas may exceed it.
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
        // A profile that was not converted for the first frame may be converted for others.
        isVerbatim = first.isVerbatim && (info.profile == .sRGB || options.context[.keepsProfile])
        plan = AnimationPlan(
            info, format: first.sourceFormat,
            budget: budget
                ?? AnimationPlan.budget(
                    forShown: first.pixels.byteCount, frameCount: options.shownFrameCount(of: info)))
        canvases = CanvasStore(plan: plan)
        let (sum, overflow) = bytes.byteCount.addingReportingOverflow(plan.keptByteCount)
        byteCount = overflow ? .max : sum
        // If the next frame is drawn on the unchanged first frame, the pixels of the first frame serve as its canvas.
        if first.isVerbatim, !first.isPartial, plan.isBuiltUpon(0) { canvases.keep(first.pixels, of: 1) }
    }

    /// Whether the coder may have declared frames opaque or gray without a check of the pixels by the library.
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
                message: "frame \(index) could not be decoded", advice: ImageError.decodeAdvice)
            // No more bytes will arrive.
            if error.code == .incomplete { error.code = .badData }
            throw error
        }
    }

    /// Returns a frame as it is on the canvas, without resizing it or converting its colors.
    private func picture(of index: Int, from composer: FrameComposer, job: Job) throws -> PixelBuffer {
        let pixels = try composer.picture(of: index, hasUncheckedClaims: hasUncheckedClaims, job: job)
        guard pixels.format == first.format else {
            throw ImageError.sinkMisuse("the frames differ in pixel format")
        }
        return pixels
    }

    /// Returns a frame with the size, depth and colors that the options require.
    private func finishedPicture(of index: Int, from composer: FrameComposer, job: Job) throws -> PixelBuffer {
        // The options allow partial pictures only for a frame that is decoded alone.
        var options = options
        options.allowsPartial = false
        return try RowPipeline.decode(
            index, of: plan.info, by: composer, options: options, job: job, makeConverter: makeConverter()
        ).pixels
    }

    /// Keeps a decoder for the next call, because the decoder has already read the header of the file.
    private func keepIdle(_ decoder: any ImageDecoder) {
        // Unchecked: the frame is finished, and its composer, which used the decoder, is not used again.
        idle.withLockUnchecked { idle in
            if idle.count < Self.idleLimit { idle.append(decoder) }
        }
    }

    private func idleDecoder() throws -> any ImageDecoder {
        // Unchecked: the decoder is taken out of the state.
        if let decoder = idle.withLockUnchecked({ $0.popLast() }) { return decoder }
        guard let decoder = try coder.decoder(for: bytes, options: options) else {
            throw ImageError(
                .badData, stage: .decode, message: "the coder no longer recognizes the bytes that it decoded before",
                advice: "report it to the coder's author")
        }
        return decoder
    }
}
