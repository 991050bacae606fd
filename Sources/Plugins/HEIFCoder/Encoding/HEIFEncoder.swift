#if HEIF
import CHEIF
import Calotype

/// Writes stills as HEIC or AVIF, upright: libheif 1.15 writes turned pictures with width and height exchanged. An
/// opaque gray image is written as monochrome.
///
/// An encode that has begun goes on to its end: libheif knows no way to stop it.
struct HEIFEncoder: ImageEncoder {
    /// The longest side of a thumbnail, and the shortest.
    private static let thumbnailSides = (most: 320, least: 16)

    let codec: HEIFCodec

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let settings = options.context[.heifOptions]
        var profile = options.embedsProfile ? image.attributes.profile : .sRGB
        if profile.isForGray == true, !(image.pixels.isGray && image.pixels.isOpaque) {
            profile = .sRGB
            options.onIssue(
                ImageError(
                    .encodeFailed, stage: .encode, component: codec.format.name,
                    message: "the profile for gray was left out: a picture with alpha or color is stored in color"))
        }
        let bitDepth = try bitDepth(for: image.pixels.format, settings)
        let input = try HEIFInput(
            image.pixels, bitDepth: bitDepth, isLossless: settings.lossless, profile: profile, job: job)
        let writer = try HEIFWriter(codec, settings, quality: options.quality)
        try writer.add(input)
        if options.embedsThumbnail {
            try job.check()
            let size = image.size.fitting(PixelSize(Self.thumbnailSides.most, Self.thumbnailSides.most))
            if size != image.size, min(size.width, size.height) >= Self.thumbnailSides.least {
                let pixels = try image.pixels.resampled(to: size, job: job)
                try writer.addThumbnail(
                    HEIFInput(pixels, bitDepth: bitDepth, isLossless: false, profile: profile, job: job))
            }
        }
        if let exif = options.metadata.exif {
            if EXIF.isBlock(exif) {
                try writer.addEXIF(exif)
            } else {
                options.onIssue(
                    ImageError(.encodeFailed, stage: .encode, message: "an EXIF block that is none was left out"))
            }
        }
        if let xmp = options.metadata.xmp { try writer.addXMP(xmp) }
        try job.check()
        return try writer.file()
    }

    /// The first version of libheif whose AV1 can have ten bits: before, libaom ends the process over a profile that it
    /// is given.
    private static let firstWithTenBits: UInt32 = 0x010F_0200

    /// Whether ten bits cannot be written.
    static func lacksTenBits(_ codec: HEIFCodec) -> Bool {
        codec == .av1 && heif_get_version_number() < firstWithTenBits
    }

    private func bitDepth(for format: PixelFormat, _ settings: HEIFOptions) throws(ImageError) -> Int {
        let lacksTenBits = Self.lacksTenBits(codec)
        guard let bitDepth = settings.bitDepth else {
            return format == .rgba8 ? 8 : lacksTenBits || settings.lossless ? 12 : 10
        }
        guard HEIFOptions.bitDepths.contains(bitDepth) else {
            throw ImageError(
                .encodeFailed, stage: .encode, message: "cannot be written with \(bitDepth) bits",
                advice: "set `heifOptions` to 8, 10 or 12 bits")
        }
        guard bitDepth != 10 || !lacksTenBits else {
            throw ImageError(
                .encodeFailed, stage: .encode, message: "cannot be written with 10 bits by this libheif",
                advice: "write 8 or 12 bits, or install libheif 1.15.2 or newer")
        }
        return bitDepth
    }
}
#endif
