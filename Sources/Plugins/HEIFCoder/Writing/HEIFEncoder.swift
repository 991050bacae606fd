#if HEIF
import CHEIF
import Calotype

/// An encoder for still HEIC and AVIF images.
///
/// Images are written upright, because libheif 1.15 swaps the width and the height of rotated images. An encode cannot
/// be cancelled while libheif encodes a picture.
struct HEIFEncoder: ImageEncoder {
    /// The maximum of a thumbnail's longer side, and the minimum of its shorter side, in pixels. A thumbnail whose
    /// shorter side is below the minimum is not written.
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
                    message: "the gray color profile was left out because the picture has color or alpha",
                    advice: "set a color profile for RGB"))
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
                    ImageError(
                        .encodeFailed, stage: .encode, message: "the EXIF block was left out because it is invalid",
                        advice: "set a valid EXIF block"))
            }
        }
        if let xmp = options.metadata.xmp { try writer.addXMP(xmp) }
        try job.check()
        return try writer.file()
    }

    /// The first version of libheif that can write AV1 with 10 bits: 1.15.2. Earlier versions pass a codec profile that
    /// makes libaom end the process.
    private static let firstWithTenBits: UInt32 = 0x010F_0200

    /// Returns whether the installed libheif cannot write pictures with 10 bits per channel in the given codec.
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
                .encodeFailed, stage: .encode, message: "cannot be written with \(bitDepth) bits per channel",
                advice: "set `heifOptions` to 8, 10 or 12 bits")
        }
        guard bitDepth != 10 || !lacksTenBits else {
            throw ImageError(
                .encodeFailed, stage: .encode, message: "cannot be written with 10 bits by the installed libheif",
                advice: "write 8 or 12 bits, or install libheif 1.15.2 or newer")
        }
        return bitDepth
    }
}
#endif
