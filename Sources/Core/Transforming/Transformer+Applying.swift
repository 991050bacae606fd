extension Transformer {
    /// The transformed image, within the limits of the values in force; any error as one of ours.
    ///
    /// Of an animation the first frame is transformed now, and each of the others when it is asked for.
    /// - Parameter onIssue: Told of what is wrong but does not keep the image from being used.
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
            // What is wrong with them all has been said of the first one.
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
            // What was said before the transformer had the image is none of its doing.
            let component = still.pixels.hasUncheckedClaims ? nil : key
            return try made.checkingClaims(stage: .transform, component: component, job: job, onIssue: onIssue)
        } catch {
            throw .wrapping(
                error, as: .transformFailed, stage: .transform, component: key,
                message: "the image could not be transformed")
        }
    }
}
