extension Pipeline {
    /// Encodes an image as a file, according to the values of a context. All encoding goes through this method, which
    /// performs the steps that all formats share. Blocks.
    ///
    /// The frames of an animation are decoded during encoding, all within the time limit of one decode. Throws
    /// `encodeFailed` if the image cannot be written within the limits of the context. Also throws the errors of `job`,
    /// and those of decoding frames.
    /// - Parameters:
    ///   - favorsSpeed: Whether the file should be fast to write and to read rather than small. Default: false.
    ///   - onIssue: Receives the issues of the image, and what is left out of the file.
    func encode(
        _ image: Image, as format: ImageFormat, by encoder: any ImageEncoder, context: ResolvedContext,
        favorsSpeed: Bool = false, job: Job, onIssue: @escaping @Sendable (ImageError) -> Void
    ) throws(ImageError) -> Data {
        let image = try image.selectingFrames(as: context)
            .checkingClaims(stage: .encode, job: job, onIssue: onIssue)
        let isStill = !image.isAnimated || !encoder.writesAnimations || context[.encodeFirstFrameOnly]
        let whole =
            isStill && image.frames != nil ? image.replacing(pixels: image.pixels) : image.checkingClaimsOfFrames()
        if image.isAnimated, isStill, !context[.encodeFirstFrameOnly] {
            onIssue(
                ImageError(
                    .encodeFailed, stage: .encode, component: format.name,
                    message:
                        "the animation was written as a still: no installed coder writes animations in this format",
                    advice: "write another format, or set `encodeFirstFrameOnly` if the first frame is enough"))
        }
        if image.pixels.hasLightBeyondWhite {
            onIssue(
                ImageError(
                    .encodeFailed, stage: .encode, component: format.name,
                    message: "highlights above white were clipped: the format cannot store them",
                    advice: "decode the image without `highDynamicRange`, which tone-maps them"))
        }
        let job = isStill ? job : job.decoding(context, time: time)
        var picture = try bounded(whole, context: context, job: job)
        if !encoder.storesOrientation { picture = try picture.upright(job: job) }
        var options = EncodeOptions(context, format: format)
        options.favorsSpeed = favorsSpeed
        options.onIssue = onIssue
        options.metadata = context[.metadataPolicy].metadata(for: picture)
        let limit = context[.encodeMaxFileBytes]
        var data = try encode(picture, as: format, by: encoder, options: options, job: job)
        guard limit > 0, data.count > limit else { return data }
        if options.embedsThumbnail {
            // The thumbnail is optional.
            options.embedsThumbnail = false
            data = try encode(picture, as: format, by: encoder, options: options, job: job)
            if data.count <= limit { return data }
        }
        guard !format.isLossless else {
            throw tooLong(format, data.count, limit, "choose a lossy format, or lower `encodeMaxPixelSize`")
        }
        var least = data.count
        // Qualities in whole percent. A file of the quality `fitting` fits; a file of the quality `exceeding` is
        // assumed not to fit.
        var fitting = -1
        var exceeding = Int((options.quality * 100 - 1e-9).rounded(.up))
        var best: Data?
        while exceeding - fitting > 1 {
            let percent = (fitting + exceeding) / 2
            options.quality = Double(percent) / 100
            let made = try encode(picture, as: format, by: encoder, options: options, job: job)
            // A lossless or few-color encoder writes the same bytes at every quality.
            guard best != nil || made != data else {
                throw tooLong(
                    format, data.count, limit,
                    "lower `encodeMaxPixelSize`, choose another format, or stronger compression options")
            }
            least = min(least, made.count)
            if made.count <= limit {
                fitting = percent
                best = made
            } else {
                exceeding = percent
            }
        }
        guard let best else {
            throw tooLong(
                format, least, limit, "lower `encodeMaxPixelSize`, or write less metadata (`metadataPolicy`)")
        }
        return best
    }

    private func encode(
        _ image: Image, as format: ImageFormat, by encoder: any ImageEncoder, options: EncodeOptions, job: Job
    ) throws(ImageError) -> Data {
        try job.check()
        do {
            return try encoder.encode(image, options: options, job: job)
        } catch {
            throw .wrapping(
                error, as: .encodeFailed, stage: .encode, component: format.name, message: "could not be written",
                advice: "write another format, or report the error to the coder's author")
        }
    }

    /// Returns the image, reduced to `encodeMaxPixelSize` if it is larger. The limit applies to the upright picture.
    private func bounded(_ image: Image, context: ResolvedContext, job: Job) throws(ImageError) -> Image {
        guard let shown = context[.encodeMaxPixelSize] else { return image }
        let box = image.attributes.orientation.isTransposed ? shown.transposed : shown
        guard image.size.fitting(box) != image.size else { return image }
        let resizing = ResizeTransformer(
            size: shown, enlarging: false, filter: context[.resamplingFilter], linear: context[.linearLight])
        do {
            return try resizing.apply(to: image, job: job, values: context)
        } catch {
            guard error.code == .transformFailed else { throw error }
            throw ImageError(
                .encodeFailed, stage: .encode, message: "cannot be brought into `encodeMaxPixelSize`: \(error.message)",
                advice: error.advice, cause: error)
        }
    }

    private func tooLong(_ format: ImageFormat, _ count: Int, _ limit: Int, _ advice: String) -> ImageError {
        ImageError(
            .encodeFailed, stage: .encode, component: format.name,
            message: "requires at least \(count) bytes; `encodeMaxFileBytes` allows \(limit)", advice: advice)
    }
}
