// Decoding with the first coder that can.
extension CoderChain {
    /// The maximum memory, in bytes, of a picture that is decoded in well under a millisecond: 512 KiB.
    static let immediateCost = 512 << 10

    /// Decodes a file with the first coder that can decode it. Blocks. Throws the errors of
    /// ``firstCoder(for:options:mayNotBlock:_:)``.
    /// - Parameters:
    ///   - admission: Takes the memory of the decode from the budget; nil if memory is not counted.
    ///   - onIssue: Called after the decode with the problems of the file that do not prevent decoding.
    func decode(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, admission: AsyncGate.Admission? = nil,
        onIssue: (ImageError) -> Void = { _ in }
    ) throws -> (image: Image, coder: String) {
        var issues: [ImageError] = []
        let outcome = Result {
            try decodeFirst(bytes, context: context, job: job, admission: admission) { issues.append($0) }
        }
        // The decode will be repeated, and reports its issues then.
        if case .failure(let error) = outcome, error.isInterlude { throw error }
        for issue in issues { onIssue(issue) }
        return try outcome.get()
    }

    private func decodeFirst(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, admission: AsyncGate.Admission?,
        onIssue: (ImageError) -> Void
    ) throws -> (image: Image, coder: String) {
        let options = decodeOptions(context)
        let job = job.decoding(context, time: time)
        return try firstCoder(for: bytes, options: options, mayNotBlock: admission?.isLimited == true) {
            decoder, coder in
            var options = options
            options.trustsDecoder = coder is any TruthfulCoder
            try job.check()
            let info = try info(of: decoder, context: context)
            let frame = try frame(of: info, context)
            if admission?.isLimited == true, !isQuick(info) { throw AsyncGate.Excess() }
            // If this throws, the whole decode is repeated later, so nothing is reported or made before.
            try admission?.take(try DecodeCost(of: info, in: bytes, by: decoder, options: options).byteCount)
            if info.isProfileDamaged { onIssue(.damagedProfile(component: coder.name)) }
            let (decoded, attributes) = try decode(
                frame, of: info, by: decoder, options: options, job: job, onIssue: onIssue)
            guard options.shownFrameCount(of: info) > 1 else {
                return (Image(pixels: decoded.pixels, attributes: attributes), coder.name)
            }
            let frames = try self.frames(decoded, of: info, in: bytes, by: coder, options: options)
            let image = Image(pixels: decoded.pixels, frames: frames, attributes: attributes)
                .selectingFrames(as: context)
            // With transformers, frames are preloaded after they are transformed.
            guard Fusion(context).rest.isEmpty else { return (image, coder.name) }
            return (try image.preloaded(as: context, job: job), coder.name)
        }
    }

    /// Returns a decoded frame and the attributes of its image.
    private func decode(
        _ frame: Int, of info: ImageInfo, by decoder: any ImageDecoder, options: DecodeOptions, job: Job,
        onIssue: (ImageError) -> Void
    ) throws -> (DecodedFrame, Image.Attributes) {
        try withoutActuallyEscaping(onIssue) { onIssue in
            let colors = ColorStep(
                converters: converters, options: options, source: info.profile, onIssue: onIssue)
            let decoded = try DecodedFrame(
                frame, of: info, by: decoder, options: options, job: job, makeConverter: colors.converter)
            let attributes = Image.Attributes(
                format: info.format, originalSize: info.size, profile: colors.profile,
                orientation: options.context[.keepsOrientation] ? info.orientation : .up,
                isPartial: decoded.isPartial
                    || (info.lacksFrames && options.context[.frame] == nil && options.context[.frameCount] != 1),
                metadata: info.metadata)
            return (decoded, attributes)
        }
    }

    /// Returns the frames of an animation. Frames after the first are decoded on demand, with the same options.
    private func frames(
        _ first: DecodedFrame, of info: ImageInfo, in bytes: ImageBytes, by coder: any ImageCoder,
        options: DecodeOptions
    ) throws(ImageError) -> DecodedFrames {
        var options = options
        options.context = options.context.forFrames
        // The list is read now, so that converters registered later do not change the colors of later frames.
        let converters = self.converters
        return try DecodedFrames(first, of: info, in: bytes, by: coder, options: options, time: time) {
            [options, profile = info.profile] in
            // Issues of the profile were reported with the first frame.
            ColorStep(converters: converters, options: options, source: profile) { _ in }.converter
        }
    }

    /// Returns the decode options of a context, including whether colors can be converted.
    func decodeOptions(_ context: ResolvedContext) -> DecodeOptions {
        var options = DecodeOptions(context)
        options.convertsColors = !context[.keepsProfile] && !converters.isEmpty
        return options
    }

    /// Returns a still of the part of a picture that a progressive decoder can show already. Blocks. Throws
    /// `incomplete` while nothing can be shown yet.
    /// - Parameter admission: Takes the memory of the decode from the budget; nil if memory is not counted.
    func preview(
        by decoder: any ProgressiveDecoder, options: DecodeOptions, job: Job, admission: AsyncGate.Admission? = nil
    ) throws -> Image {
        let info = try info(of: decoder, context: options.context)
        let frame = try frame(of: info, options.context)
        try admission?.take(try DecodeCost(of: info, in: nil, by: decoder, options: options).byteCount)
        let (decoded, attributes) = try decode(frame, of: info, by: decoder, options: options, job: job) { _ in }
        return Image(pixels: decoded.pixels, attributes: attributes)
    }

    /// Returns the index of the requested frame; 0 by default. Throws `noSuchFrame` if the file does not have it.
    private func frame(of info: ImageInfo, _ context: ResolvedContext) throws(ImageError) -> Int {
        let frame = context[.frame] ?? 0
        guard frame >= 0, frame < info.frameCount else { throw .noSuchFrame(frame, of: info.frameCount) }
        return frame
    }

    /// Returns the properties of a file, from the first coder that can read them. Blocks.
    func info(of bytes: ImageBytes, context: ResolvedContext) throws -> ImageInfo {
        try firstCoder(for: bytes, options: DecodeOptions(context)) { decoder, _ in
            try info(of: decoder, context: context)
        }
    }

    private func info(of decoder: any ImageDecoder, context: ResolvedContext) throws -> ImageInfo {
        let info = try decoder.info
        try DecodeLimits(context).check(info)
        return info
    }

    /// Returns whether a picture is decoded in well under a millisecond. Returns false if the colors may need a
    /// converter, because choosing one takes longer, and calls client code.
    private func isQuick(_ info: ImageInfo) -> Bool {
        info.frameCount == 1 && PixelLayout(size: info.pixelSize, format: .rgba8).byteCount <= Self.immediateCost
            && (info.profile == .sRGB || converters.isEmpty)
    }
}

extension ImageError {
    /// Returns the error for a damaged profile that a coder left out when it reported the properties of a file.
    fileprivate static func damagedProfile(component: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, component: component,
            message: "the embedded color profile is damaged; sRGB is used instead",
            advice: "embed a valid profile in the file")
    }
}
