#if JPEG
import Calotype

/// Writes JPEG: gray with one channel where the layout says so, else YCbCr, of 8 bits.
///
/// What is transparent is put on the background. That, like the pixels, is in the picture's own colours.
struct JPEGEncoder: ImageEncoder {
    /// The longest side that libjpeg allows. The format itself would hold 35 more.
    private static let maxSide = 65_500
    /// The number of rows that libjpeg makes blocks of together.
    private static let rowsAtOnce = 16
    /// The longest side of a thumbnail.
    private static let maxThumbnailSide = 320

    var storesOrientation: Bool { true }

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let pixels = image.pixels
        guard max(pixels.width, pixels.height) <= Self.maxSide else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                message: "cannot be written as JPEG: \(pixels.size) pixels, and a side may have \(Self.maxSide)",
                advice: "make it smaller, or write PNG")
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

    /// A file of these pixels.
    /// - Parameter embed: Writes what stands before them.
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

    /// An EXIF block with a thumbnail as good as there is room for; nil if there is room for none.
    private func block(
        _ block: Data?, withThumbnailOf pixels: PixelBuffer, like recipe: JPEGRecipe, job: Job
    ) throws -> Data? {
        func blockIfRoom(for thumbnail: Data) -> Data? {
            let made = EXIF.block(block, thumbnail: thumbnail)
            return made.count <= JPEGWriter.maxEXIFByteCount ? made : nil
        }
        // Where not even nothing fits, the work would be for nothing.
        guard blockIfRoom(for: Data()) != nil else { return nil }
        let box = PixelSize(Self.maxThumbnailSide, Self.maxThumbnailSide)
        let thumbnail = try pixels.resampled(to: pixels.size.fitting(box), job: job)
        // Plain, as EXIF wants it: many readers of thumbnails read nothing else.
        var plain = JPEGRecipe(percent: 0, isGray: recipe.isGray, isBare: true, background: recipe.background)
        for percent in [75, 60, 45, 30, 15] {
            plain.percent = percent
            if let made = blockIfRoom(for: try write(thumbnail, plain, job: job)) { return made }
        }
        return nil
    }

    // MARK: Values

    /// A quality of 0...1 as libjpeg counts it, from 1 to 100.
    private static func percent(_ quality: Double) -> Int {
        // Written so that what is not a number becomes 1.
        quality > 0.01 ? Int((min(quality, 1) * 100).rounded()) : 1
    }

    /// A colour in 255ths, its alpha taken for full.
    private static func levels(_ color: PixelColor) -> (red: UInt8, green: UInt8, blue: UInt8) {
        func level(_ channel: Double) -> UInt8 {
            // In this order, what is not a number becomes 0.
            UInt8((min(max(0, channel), 1) * 255).rounded())
        }
        return (level(color.red), level(color.green), level(color.blue))
    }

    private static func isGray(_ color: (red: UInt8, green: UInt8, blue: UInt8)) -> Bool {
        color.red == color.green && color.green == color.blue
    }
}
#endif
