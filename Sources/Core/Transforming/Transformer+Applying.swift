extension Transformer {
    /// Returns the image after this step of a request: the transformed image, or an animation as it is if the request
    /// leaves animations alone.
    /// - Parameter onIssue: Called with problems that do not prevent the image from being used.
    func applyAsStep(
        to image: Image, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void = { _ in }
    ) throws(ImageError) -> Image {
        guard !image.isAnimated || values[.transformsAnimations] else { return image }
        return try apply(to: image, job: job, values: values, onIssue: onIssue)
    }

    /// Returns the transformed image, within the limits of the context. The first frame of an animation is transformed
    /// now, and each further frame on demand.
    /// - Parameter onIssue: Called with problems that do not prevent the image from being used.
    func apply(
        to image: Image, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void = { _ in }
    ) throws(ImageError) -> Image {
        guard let frames = image.frames else {
            return try transformed(image, job: job, values: values, onIssue: onIssue)
        }
        let still = image.replacing(pixels: image.pixels)
        let made = try transformed(still, job: job, values: values, onIssue: onIssue)
        let others = MappedFrames(frames, from: image.pixels, to: made.pixels, areClaimsChecked: true) {
            [values = values.forFrames] pixels, job in
            // Problems are reported for the first frame only.
            try self.transformed(still.replacing(pixels: pixels), first: still, job: job, values: values) { _ in }
                .pixels
        }
        return made.replacing(pixels: made.pixels, frames: others)
    }

    /// Returns a transformed frame.
    /// - Parameter first: The first frame; nil if `still` is the first or only one.
    private func transformed(
        _ still: Image, first: Image? = nil, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void
    ) throws(ImageError) -> Image {
        do {
            let orientation = still.attributes.orientation
            let firstFrame = try first?.turned(from: orientation, to: .up, job: job).pixels
            let context = TransformContext(job: job, values: values, firstFrame: firstFrame)
            let made = try transform(still.turned(from: orientation, to: .up, job: job), context: context)
            try context.check(made.size)
            // If the image had unchecked claims before, a false claim may not be the transformer's own.
            let component = still.pixels.hasUncheckedClaims ? nil : shownKey
            return try made.turned(from: orientation.inverse, to: orientation, job: job)
                .checkingClaims(stage: .transform, component: component, job: job, onIssue: onIssue)
        } catch {
            throw .transformFailed(by: self, error)
        }
    }
}

extension ImageError {
    /// Returns the error of a transformer, from an error of any type.
    static func transformFailed(by transformer: any Transformer, _ error: any Error) -> ImageError {
        .wrapping(
            error, as: .transformFailed, stage: .transform, component: transformer.shownKey,
            message: "the image could not be transformed",
            advice: "check the transformer's parameters, or report the error to its author")
    }
}

extension [any Transformer] {
    /// The maximum number of steps of a request.
    private static var maxCount: Int { 100 }

    /// Throws if there are too many steps, or if a parameter is out of its range.
    func checkParameters() throws(ImageError) {
        guard count <= Self.maxCount else {
            throw ImageError(
                .transformFailed, stage: .transform,
                message: "there are \(count) transformers, more than \(Self.maxCount)",
                advice: "use fewer transformers, or combine them in one of your own")
        }
        for step in self {
            let step = (step as? PreparedTransformer)?.base ?? step
            try (step as? any RecipeTransformer)?.checkParameters()
        }
    }
}

extension Image {
    /// Returns a still whose pixels are turned upright from `stored`, and whose orientation is `orientation`. Returns
    /// the same image if `stored` is `.up`.
    fileprivate func turned(
        from stored: Orientation, to orientation: Orientation, job: Job
    ) throws(ImageError) -> Image {
        guard stored != .up else { return self }
        var attributes = attributes
        attributes.orientation = orientation
        var turned = Image(pixels: try pixels.upright(from: stored, job: job), attributes: attributes)
        turned.scale = scale
        return turned
    }
}
