// Decoding with the first coder that can.
extension CoderChain {
    /// A picture that takes at most so much memory is decoded in well under a millisecond.
    static let immediateCost = 512 << 10

    /// Decodes with the first coder that can. Throws the error of the first coder that failed, with the list of those
    /// asked.
    ///
    /// Blocks; runs on whatever thread calls it.
    /// - Parameters:
    ///   - admission: Told how much memory that is going to take; nil if it is not counted.
    ///   - onIssue: Told of what is wrong with the file but does not keep it from being decoded.
    func decode(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, admission: AsyncGate.Admission? = nil,
        onIssue: (ImageError) -> Void = { _ in }
    ) throws -> (image: Image, coder: String) {
        var issues: [ImageError] = []
        let outcome = Result {
            try decodeFirst(bytes, context: context, job: job, admission: admission) { issues.append($0) }
        }
        // What is begun anew finds them again.
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
            // What it throws has all of this begin anew: nothing is told or made before.
            try admission?.take(DecodeCost(of: info, in: bytes, by: decoder, options: options).byteCount)
            if info.isProfileDamaged { onIssue(.damagedProfile(component: coder.name)) }
            let (decoded, attributes) = try decode(
                frame, of: info, by: decoder, options: options, job: job, onIssue: onIssue)
            guard options.shownFrameCount(of: info) > 1 else {
                return (Image(pixels: decoded.pixels, attributes: attributes), coder.name)
            }
            let frames = try self.frames(decoded, of: info, in: bytes, by: coder, options: options)
            let image = Image(pixels: decoded.pixels, frames: frames, attributes: attributes)
                .selectingFrames(as: context)
            // Those that are to be transformed are all made when they are.
            guard context[.transformers].isEmpty else { return (image, coder.name) }
            return (try image.preloaded(as: context, job: job), coder.name)
        }
    }

    /// A frame, and what the image of it says of itself.
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

    /// The frames of an animation, which are decoded as the first one was when they are asked for.
    private func frames(
        _ first: DecodedFrame, of info: ImageInfo, in bytes: ImageBytes, by coder: any ImageCoder,
        options: DecodeOptions
    ) throws(ImageError) -> DecodedFrames {
        var options = options
        options.context = options.context.forFrames
        // Those of now: all frames are to have the colours of the first.
        let converters = self.converters
        return try DecodedFrames(first, of: info, in: bytes, by: coder, options: options, time: time) {
            [options, profile = info.profile] in
            // What is wrong with the profile has been said of the first frame.
            ColorStep(converters: converters, options: options, source: profile) { _ in }.converter
        }
    }

    /// Returns the decode options of a context, and whether colors can be converted.
    func decodeOptions(_ context: ResolvedContext) -> DecodeOptions {
        var options = DecodeOptions(context)
        options.convertsColors = !context[.keepsProfile] && !converters.isEmpty
        return options
    }

    /// The picture as far as a decoder knows it, within the limits; of an animation a single frame, as a still. Throws
    /// `incomplete` where nothing can be shown yet. Blocks.
    /// - Parameter admission: Told how much memory that is going to take; nil if it is not counted.
    func preview(
        by decoder: any ProgressiveDecoder, options: DecodeOptions, job: Job, admission: AsyncGate.Admission? = nil
    ) throws -> Image {
        let info = try info(of: decoder, context: options.context)
        let frame = try frame(of: info, options.context)
        try admission?.take(DecodeCost(of: info, in: nil, by: decoder, options: options).byteCount)
        let (decoded, attributes) = try decode(frame, of: info, by: decoder, options: options, job: job) { _ in }
        return Image(pixels: decoded.pixels, attributes: attributes)
    }

    /// The frame that is asked for, the first where all are. Throws `noSuchFrame` when there is none.
    private func frame(of info: ImageInfo, _ context: ResolvedContext) throws(ImageError) -> Int {
        let frame = context[.frame] ?? 0
        guard frame >= 0, frame < info.frameCount else { throw .noSuchFrame(frame, of: info.frameCount) }
        return frame
    }

    /// Returns the properties of a file, by the first coder that knows it. Blocks.
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

    /// Whether a picture is decoded in well under a millisecond, however small it is made. Finding out how colors are
    /// converted takes longer, and calls client code.
    private func isQuick(_ info: ImageInfo) -> Bool {
        info.frameCount == 1 && PixelLayout(size: info.pixelSize, format: .rgba8).byteCount <= Self.immediateCost
            && (info.profile == .sRGB || converters.isEmpty)
    }
}

extension ImageError {
    /// A coder passed over the profile of a file.
    fileprivate static func damagedProfile(component: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, component: component,
            message: "the embedded colour profile is damaged, sRGB is taken instead")
    }
}
