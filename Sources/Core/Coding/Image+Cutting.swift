extension Image {
    /// The image at the size and depth that the options ask for, resampled as they say.
    func cut(to options: DecodeOptions, job: Job) throws(ImageError) -> Image {
        let image = options.nativeDepth ? self : replacing(pixels: try pixels.eightBit(job: job))
        guard let box = options.thumbnailPixelSize else { return image }
        let target = size.thumbnail(in: box, preservingAspectRatio: options.preservesAspectRatio)
        guard target != size else { return image }
        return image.replacing(
            pixels: try image.pixels.resampled(to: target, resampling: options.resampling, job: job))
    }
}
