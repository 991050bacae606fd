/// The memory that a decode takes while it runs, including the picture that it makes, as far as it is known before.
///
/// An estimate, by which it is decided how many decode at once: all that grows with the picture is counted, and rather
/// too much than too little of it. The file is not: it is there already, and counted as such.
struct DecodeCost {
    /// Bytes; saturating.
    private(set) var byteCount = 0

    /// The memory that a resampler takes for each column and each row: its weights and its working rows.
    private static let resamplingByteCount = 96

    /// Creates the cost of decoding a file as the pipeline does: a frame, and what is kept where further frames may be
    /// asked for.
    /// - Parameters:
    ///   - info: The properties of the file.
    ///   - bytes: The file, which an animation keeps; nil if a single frame is wanted of it in any case.
    ///   - decoder: The decoder.
    ///   - options: The options of the decode.
    init(of info: ImageInfo, in bytes: ImageBytes?, by decoder: any ImageDecoder, options: DecodeOptions) {
        let target = options.targetSize(of: info)
        let isResampled = target != info.pixelSize
        let orientation = options.turning(of: info)
        let (source, made) = (options.sourceFormat(of: info), options.pixelFormat(of: info))
        add(decoder.workingByteCount)
        add(target, made)
        if isResampled {
            addResampling(from: info.pixelSize, to: target, source, options.resampling)
            // It is made with all bits, and then another one with eight.
            if source != made { add(target, source) }
        }
        // Rows that become columns, and those that a resampler writes, are turned when all of them are there.
        if orientation.isTransposed || (isResampled && orientation != .up) {
            add(orientation.displaySize(of: target), made)
        }
        guard !info.frames.isEmpty else { return }
        // What the frame is drawn on, or the next one will be.
        add(info.pixelSize, source)
        let frameCount = options.shownFrameCount(of: info)
        guard let bytes, frameCount > 1 else { return }
        if bytes.isReadWhenAsked { add(bytes.byteCount) }
        // Those that are to be transformed are made when they are.
        guard options.context[.preloadsFrames], options.context[.transformers].isEmpty else { return }
        let shown = PixelLayout(size: target, format: made).byteCount
        add(shown, times: frameCount - 1)
        add(AnimationPlan.budget(forShown: shown, frameCount: frameCount))
    }

    /// Creates the cost of bringing a decoded image to the size and depth of the options.
    init(cutting image: Image, to options: DecodeOptions) {
        let frame = options.context[.frame]
        let made = options.nativeDepth ? image.pixels.format : .rgba8
        let frameCount = frame == nil ? image.selectingFrames(as: options.context).frames?.frameCount ?? 1 : 1
        let target = options.targetSize(
            ofUpright: image.size, bytesPerPixel: made.bytesPerPixel, frameCount: frameCount)
        // The image has the first one.
        if frame ?? 0 != 0 { add(image.size, image.pixels.format) }
        if made != image.pixels.format { add(image.size, made) }
        guard target != image.size else { return }
        add(target, made)
        addResampling(from: image.size, to: target, made, options.resampling)
    }

    /// Adds the memory that resampling takes beside source and target.
    private mutating func addResampling(
        from source: PixelSize, to target: PixelSize, _ format: PixelFormat, _ resampling: Resampling
    ) {
        add(Self.resamplingByteCount, times: source.width)
        add(Self.resamplingByteCount, times: source.height)
        // As many rows as the filter is high, already as narrow as the target: 16 bits to a channel for 8, else 32.
        let stretch = max(1, Double(source.height) / Double(max(1, target.height)))
        let rowCount = Int(exactly: (2 * resampling.filter.support * stretch).rounded(.up) + 2) ?? .max
        let (rowByteCount, overflow) = target.width.multipliedReportingOverflow(by: format == .rgba8 ? 8 : 16)
        add(overflow ? .max : rowByteCount, times: rowCount)
    }

    private mutating func add(_ size: PixelSize, _ format: PixelFormat) {
        add(PixelLayout(size: size, format: format).byteCount)
    }

    /// Adds what is not less than nothing, so many times.
    private mutating func add(_ count: Int, times: Int = 1) {
        let (product, overflow1) = max(0, count).multipliedReportingOverflow(by: times)
        let (sum, overflow2) = byteCount.addingReportingOverflow(product)
        byteCount = overflow1 || overflow2 ? .max : sum
    }
}
