extension Pipeline {
    /// The whole file for an image, as the values in force want it written: all that is encoded comes through here.
    ///
    /// The steps that all formats share are done here: frames are left out, an animation becomes a still where it
    /// should or has to, the size is brought into bounds, pixels are turned where the file could not say how, what is
    /// written beside them is picked, and the quality is lowered until the file is as short as it has to be. The
    /// frames of an animation are decoded on the way, all within the time that one decode may take. Throws
    /// `encodeFailed` where it cannot be written so, and as `job` says. Blocks.
    /// - Parameter onIssue: Told of what is wrong with the image, and of what is left out of the file.
    func encode(
        _ image: Image, as format: ImageFormat, by encoder: any ImageEncoder, context: ResolvedContext, job: Job,
        onIssue: @escaping @Sendable (ImageError) -> Void
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
                    message: "highlights above white were cut off: the format does not hold them",
                    advice: "decode the image without `highDynamicRange`, which tone-maps them"))
        }
        let job = isStill ? job : job.decoding(context, time: time)
        var picture = try bounded(whole, context: context, job: job)
        if !encoder.storesOrientation { picture = try picture.upright(job: job) }
        var options = EncodeOptions(context, format: format)
        options.onIssue = onIssue
        options.metadata = context[.metadataPolicy].metadata(for: picture)
        let limit = context[.encodeMaxFileBytes]
        var data = try encode(picture, as: format, by: encoder, options: options, job: job)
        guard limit > 0, data.count > limit else { return data }
        if options.embedsThumbnail {
            // Only wanted where there is room.
            options.embedsThumbnail = false
            data = try encode(picture, as: format, by: encoder, options: options, job: job)
            if data.count <= limit { return data }
        }
        guard !format.isLossless else {
            throw tooLong(format, data.count, limit, "choose a lossy format, or lower `encodeMaxPixelSize`")
        }
        var least = data.count
        // In whole percent. What is at most one of these fits; this one does not, as far as it is known.
        var fitting = -1
        var exceeding = Int((options.quality * 100 - 1e-9).rounded(.up))
        var best: Data?
        while exceeding - fitting > 1 {
            let percent = (fitting + exceeding) / 2
            options.quality = Double(percent) / 100
            let made = try encode(picture, as: format, by: encoder, options: options, job: job)
            // An encoder that writes without loss, or in few colors, makes the same of every quality.
            guard best != nil || made != data else {
                throw tooLong(
                    format, data.count, limit,
                    "lower `encodeMaxPixelSize`, choose another format, or options of this one that lose more")
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
                format, least, limit, "lower `encodeMaxPixelSize`, or write less beside the pixels (`metadataPolicy`)")
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
                error, as: .encodeFailed, stage: .encode, component: format.name, message: "could not be written")
        }
    }

    /// The image at no more than the size that may be written. The bound is for the picture as it is shown.
    private func bounded(_ image: Image, context: ResolvedContext, job: Job) throws(ImageError) -> Image {
        guard let shown = context[.encodeMaxPixelSize] else { return image }
        let box = image.attributes.orientation.isTransposed ? shown.transposed : shown
        guard image.size.fitting(box) != image.size else { return image }
        let resizing = ResizeTransformer(
            size: box, enlarging: false, filter: context[.resamplingFilter], linear: context[.linearLight])
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
            message: "takes \(count) bytes at least; `encodeMaxFileBytes` allows \(limit)", advice: advice)
    }
}
