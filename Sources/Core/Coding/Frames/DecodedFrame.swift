/// A decoded picture with the size, depth and colors that the decode options require: a still, or a frame that is
/// composed with the frames before it.
struct DecodedFrame {
    let pixels: PixelBuffer
    /// Whether part of the frame is missing.
    let isPartial: Bool
    /// The format of the pixels that the decoder gave.
    let sourceFormat: PixelFormat
    /// Whether the pixels are those of the file, unchanged.
    let isVerbatim: Bool

    /// Decodes a frame, or a still. Blocks. Throws the decoder's error, and `cancelled` or `timedOut` if the job ends.
    /// - Parameter makeConverter: Returns the converter of the colors, as in ``RowPipeline``.
    init(
        _ frame: Int, of info: ImageInfo, by decoder: any ImageDecoder, options: DecodeOptions, job: Job,
        makeConverter: @escaping (PixelLayout, RowChannels) throws(ImageError) -> (any RowConverter)?
    ) throws {
        var decoder = decoder
        if !info.frames.isEmpty {
            decoder = FrameComposer(
                decoder: decoder, plan: AnimationPlan(info), store: nil, allowsPartial: options.allowsPartial,
                writesAll: options.trustsDecoder)
        }
        let made = try RowPipeline.decode(
            frame, of: info, by: decoder, options: options, job: job, makeConverter: makeConverter)
        pixels = made.pixels
        isPartial = made.isPartial
        sourceFormat = made.source.format
        isVerbatim =
            !made.isConverted && options.turning(of: info) == .up && made.isWhole
            && made.source.format == made.pixels.format
    }
}
