/// The estimated memory that a decode takes while it runs, including the picture that it makes.
///
/// The estimate decides how many decodes run at once. It is too high rather than too low. It does not include bytes of
/// the file that are in memory already, because the budget counts them separately.
struct DecodeCost {
    /// The estimated memory, in bytes. Saturates at `Int.max`.
    private(set) var byteCount = 0

    /// The bytes that a resampler takes for weights and working rows, per column and per row of the source picture.
    private static let resamplingByteCount = 96

    /// Creates the estimate for decoding a frame of a file, with the canvas and the preloaded frames of an animation.
    /// Throws the errors of ``DecodeOptions/region(of:)``.
    /// - Parameter bytes: The file, which an animation keeps in memory; nil if only a single frame is wanted.
    init(
        of info: ImageInfo, in bytes: ImageBytes?, by decoder: any ImageDecoder, options: DecodeOptions
    ) throws(ImageError) {
        let region = try options.region(of: info)
        let target = region.size
        let isResampled = !region.isAll(of: info.pixelSize)
        let orientation = options.turning(of: info)
        let (source, made) = (options.sourceFormat(of: info), options.pixelFormat(of: info))
        add(decoder.workingByteCount)
        add(target, made)
        if isResampled {
            addResampling(from: info.pixelSize, to: target, source, options.resampling)
            // The picture is resampled at full depth, and then narrowed to 8 bits in another buffer.
            if source != made { add(target, source) }
            // A decoder that reports no memory for the whole picture may still need it, to cut off a part.
            if options.targetSize(of: info) == info.pixelSize { add(info.pixelSize, source) }
        }
        // Rows that become columns, and rows that a resampler writes, are turned at the end, in another buffer.
        if orientation.isTransposed || (isResampled && orientation != .up) {
            add(orientation.displaySize(of: target), made)
        }
        guard !info.frames.isEmpty else { return }
        // The canvas that this frame, or the next one, is drawn on.
        add(info.pixelSize, source)
        let frameCount = options.shownFrameCount(of: info)
        guard let bytes, frameCount > 1 else { return }
        if bytes.isReadWhenAsked { add(bytes.byteCount) }
        // Frames that will be transformed are made later.
        guard options.context[.preloadsFrames], Fusion(options.context).rest.isEmpty else { return }
        let shown = PixelLayout(size: target, format: made).byteCount
        add(shown, times: frameCount - 1)
        add(AnimationPlan.budget(forShown: shown, frameCount: frameCount))
    }

    /// Creates the estimate for converting a decoded image to the size and depth that the options require. Throws the
    /// errors of ``DecodeOptions/region(of:)``.
    init(cutting image: Image, to options: DecodeOptions) throws(ImageError) {
        let frame = options.context[.frame]
        let made = options.nativeDepth ? image.pixels.format : .rgba8
        let frameCount = frame == nil ? image.selectingFrames(as: options.context).frames?.frameCount ?? 1 : 1
        let region = try options.region(of: image, format: made, frameCount: frameCount)
        let target = region.size
        // The image has its first frame already.
        if frame ?? 0 != 0 { add(image.size, image.pixels.format) }
        if made != image.pixels.format { add(image.size, made) }
        guard !region.isAll(of: image.size) else { return }
        add(target, made)
        if options.context[.preloadsFrames], Fusion(options.context).rest.isEmpty {
            add(PixelLayout(size: target, format: made).byteCount, times: frameCount - 1)
        }
        addResampling(from: image.size, to: target, made, options.resampling)
    }

    /// Adds the memory that resampling takes in addition to the source and target pictures.
    private mutating func addResampling(
        from source: PixelSize, to target: PixelSize, _ format: PixelFormat, _ resampling: Resampling
    ) {
        add(Self.resamplingByteCount, times: source.width)
        add(Self.resamplingByteCount, times: source.height)
        // As many rows as the filter is high, already as narrow as the target: 16 bits per channel for 8-bit pixels,
        // else 32.
        let stretch = max(1, Double(source.height) / Double(max(1, target.height)))
        let rowCount = Int(exactly: (2 * resampling.filter.support * stretch).rounded(.up) + 2) ?? .max
        let (rowByteCount, overflow) = target.width.multipliedReportingOverflow(by: format == .rgba8 ? 8 : 16)
        add(overflow ? .max : rowByteCount, times: rowCount)
    }

    private mutating func add(_ size: PixelSize, _ format: PixelFormat) {
        add(PixelLayout(size: size, format: format).byteCount)
    }

    /// Adds `count` bytes `times` times; a negative count adds nothing.
    private mutating func add(_ count: Int, times: Int = 1) {
        let (product, overflow1) = max(0, count).multipliedReportingOverflow(by: times)
        let (sum, overflow2) = byteCount.addingReportingOverflow(product)
        byteCount = overflow1 || overflow2 ? .max : sum
    }
}
