extension Transformer {
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
            try self.transformed(still.replacing(pixels: pixels), job: job, values: values) { _ in }.pixels
        }
        return made.replacing(pixels: made.pixels, frames: others)
    }

    private func transformed(
        _ still: Image, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void
    ) throws(ImageError) -> Image {
        do {
            let context = TransformContext(job: job, values: values)
            let made = try transform(still, context: context)
            try context.check(made.size)
            // If the image had unchecked claims before, a false claim may not be the transformer's own.
            let component = still.pixels.hasUncheckedClaims ? nil : key
            return try made.checkingClaims(stage: .transform, component: component, job: job, onIssue: onIssue)
        } catch {
            throw .wrapping(
                error, as: .transformFailed, stage: .transform, component: key,
                message: "the image could not be transformed",
                advice: "check the transformer's parameters, or report the error to its author")
        }
    }
}
