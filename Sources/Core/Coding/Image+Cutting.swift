extension Image {
    /// Returns the image with the size and depth that the options require. If the options name a frame, the result is a
    /// still of that frame. Frames after the first are resized on demand.
    func cut(to options: DecodeOptions, job: Job) throws(ImageError) -> Image {
        guard let frame = options.context[.frame] else {
            return try selectingFrames(as: options.context).resized(to: options, job: job)
        }
        return try still(ofFrame: frame, job: job).resized(to: options, job: job)
    }

    private func resized(to options: DecodeOptions, job: Job) throws(ImageError) -> Image {
        let format = options.nativeDepth ? pixels.format : .rgba8
        let region = try options.region(of: self, format: format, frameCount: frames?.frameCount ?? 1)
        guard format != pixels.format || !region.isAll(of: size) else { return self }
        let (keepsDepth, resampling) = (options.nativeDepth, options.resampling)
        let change = { @Sendable (pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer in
            try (keepsDepth ? pixels : pixels.converted(to: .rgba8, job: job))
                .resampled(region, resampling, job: job)
        }
        let first = try change(pixels, job)
        let others: (any FrameSource)? = frames.map { MappedFrames($0, from: pixels, to: first, change: change) }
        return replacing(pixels: first, frames: others)
    }
}
