#if WEBP
import CWebP
import Calotype

/// An encoder for still and animated WebP with 8 bits per channel. Files are lossy by default; see `webpOptions`.
///
/// Equal consecutive frames of an animation become one frame. Durations are rounded to milliseconds. Two frames are in
/// memory at a time, in addition to those that libwebp keeps.
struct WebPEncoder: ImageEncoder {
    /// The longest side that the format supports, in pixels.
    private static let maxSide = 16_383

    var writesAnimations: Bool { true }
    var storesOrientation: Bool { true }

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        guard max(image.pixels.width, image.pixels.height) <= Self.maxSide else {
            throw ImageError.unwritableWebP(
                "\(image.pixels.size) pixels exceed \(Self.maxSide) on a side",
                advice: "resize the image, or write PNG")
        }
        let file = try image.isAnimated ? animation(image, options, job: job) : still(image.pixels, options, job: job)
        return try WebPMetadataWriter.file(
            file, profile: options.embedsProfile ? image.attributes.profile : .sRGB, metadata: options.metadata)
    }

    private func still(_ pixels: PixelBuffer, _ options: EncodeOptions, job: Job) throws -> Data {
        let settings = options.context[.webpOptions]
        // For sharp or dithered luma and chroma, the encoder itself converts red, green and blue.
        let keepsColors = settings.isLossless || settings.sharpYUV == true || settings.preprocessing ?? 0 > 1
        let input = try WebPInput(pixels.converted(to: .rgba8, job: job), keepsColors: keepsColors, job: job)
        return try input.encoded(settings.configuration(quality: options.quality))
    }

    private func animation(_ image: Image, _ options: EncodeOptions, job: Job) throws -> Data {
        let frames = ImageFrames(image)
        var writer = try WebPAnimationWriter(
            size: image.pixels.size, loopCount: frames.loopCount, frameCount: frames.count,
            options.context[.webpOptions],
            quality: options.quality)
        for index in 0..<frames.count {
            try job.check()
            try writer.add(
                frames.pixels(index, job: job).converted(to: .rgba8, job: job), duration: frames.duration(index),
                job: job)
        }
        return try writer.finish()
    }
}
#endif
