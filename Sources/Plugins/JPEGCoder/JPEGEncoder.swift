#if JPEG
import Calotype

/// An encoder for 8-bit JPEG: gray if the picture, the profile and the background permit it, otherwise YCbCr.
///
/// Transparent pixels are composited over the background, whose color is in the color space of the picture.
struct JPEGEncoder: ImageEncoder {
    /// The longest side that libjpeg supports, in pixels. The format itself permits 65,535.
    private static let maxSide = 65_500
    /// The number of rows that are passed to libjpeg at once.
    private static let rowsAtOnce = 16
    /// The longest side of a thumbnail, in pixels.
    private static let maxThumbnailSide = 320

    var storesOrientation: Bool { true }

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let pixels = image.pixels
        guard max(pixels.width, pixels.height) <= Self.maxSide else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                message: "cannot be written as JPEG: \(pixels.size) pixels exceed \(Self.maxSide) on a side",
                advice: "resize the image, or write PNG")
        }
        let profile = options.embedsProfile ? image.attributes.profile : .sRGB
        var recipe = JPEGRecipe(percent: Self.percent(options.quality))
        recipe.background = Self.levels(options.background)
        recipe.isGray =
            pixels.isGray && profile.isForGray != false && (pixels.isOpaque || Self.isGray(recipe.background))
        recipe.subsampling = options.context[.jpegSubsampling]
        recipe.isProgressive = options.context[.jpegProgressive]
        recipe.hasOwnTables = options.context[.jpegOptimizedTables]
        var block = options.metadata.exif
        if options.embedsThumbnail {
            block = try self.block(block, withThumbnailOf: pixels, like: recipe, job: job) ?? block
        }
        return try write(pixels, recipe, job: job) { (writer: JPEGWriter) throws -> Void in
            if let block { try writer.writeEXIF(block) }
            if let packet = options.metadata.xmp { try writer.writeXMP(packet) }
            if case .icc(let data) = profile { try writer.writeProfile(data) }
        }
    }

    /// Returns a JPEG file of the pixels. `embed` writes the metadata segments before the pixels are written.
    private func write(
        _ pixels: PixelBuffer, _ recipe: JPEGRecipe, job: Job, embed: (JPEGWriter) throws -> Void = { _ in }
    ) throws -> Data {
        let writer = try JPEGWriter()
        try writer.start(pixels.layout, recipe)
        try embed(writer)
        for y in stride(from: 0, to: pixels.height, by: Self.rowsAtOnce) {
            try job.check()
            try writer.write(y..<min(y + Self.rowsAtOnce, pixels.height), of: pixels)
        }
        try job.check()
        return try writer.finish(job: job)
    }

    // MARK: The thumbnail

    /// Returns a copy of `block` with a new thumbnail, in the best quality that fits. Makes a new EXIF block if `block`
    /// is nil or cannot be read. Returns nil if no thumbnail fits.
    private func block(
        _ block: Data?, withThumbnailOf pixels: PixelBuffer, like recipe: JPEGRecipe, job: Job
    ) throws -> Data? {
        func blockIfRoom(for thumbnail: Data) -> Data? {
            let made = EXIF.block(block, thumbnail: thumbnail)
            return made.count <= JPEGWriter.maxEXIFByteCount ? made : nil
        }
        // If not even an empty thumbnail fits, nothing is encoded.
        guard blockIfRoom(for: Data()) != nil else { return nil }
        let box = PixelSize(Self.maxThumbnailSide, Self.maxThumbnailSide)
        let thumbnail = try pixels.resampled(to: pixels.size.fitting(box), job: job)
        // EXIF requires a plain JPEG, and many readers of thumbnails support nothing else.
        var plain = JPEGRecipe(percent: 0, isGray: recipe.isGray, isBare: true, background: recipe.background)
        for percent in [75, 60, 45, 30, 15] {
            plain.percent = percent
            if let made = blockIfRoom(for: try write(thumbnail, plain, job: job)) { return made }
        }
        return nil
    }

    // MARK: Values

    /// Returns libjpeg's quality, 1...100, for a quality of 0...1.
    private static func percent(_ quality: Double) -> Int {
        // The order of comparisons turns NaN into 1.
        quality > 0.01 ? Int((min(quality, 1) * 100).rounded()) : 1
    }

    /// Returns the 8-bit levels of a color, ignoring its alpha.
    private static func levels(_ color: PixelColor) -> (red: UInt8, green: UInt8, blue: UInt8) {
        func level(_ channel: Double) -> UInt8 {
            // The order of comparisons turns NaN into 0.
            UInt8((min(max(0, channel), 1) * 255).rounded())
        }
        return (level(color.red), level(color.green), level(color.blue))
    }

    private static func isGray(_ color: (red: UInt8, green: UInt8, blue: UInt8)) -> Bool {
        color.red == color.green && color.green == color.blue
    }
}
#endif
