#if JPEG
import Calotype

/// Writes JPEG: gray with one channel where the layout says so, else YCbCr, of 8 bits.
///
/// What is transparent is put on the background. That, like the pixels, is in the picture's own colours.
struct JPEGEncoder: ImageEncoder {
    /// What libjpeg allows. The format itself would hold 35 more.
    private static let maxSide = 65_500
    /// The longest side of a thumbnail.
    private static let maxThumbnailSide = 320

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
            pixels.isGray && Self.permitsGray(profile) && (pixels.isOpaque || Self.isGray(recipe.background))
        recipe.subsampling = options.context[.jpegSubsampling]
        recipe.isProgressive = options.context[.jpegProgressive]
        recipe.hasOwnTables = options.context[.jpegOptimizedTables]
        var block = options.metadata.exif
        if options.embedsThumbnail {
            let thumbnail = try thumbnail(of: pixels, job: job)
            block = try self.block(block, with: thumbnail, like: recipe, job: job)
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
        for y in 0..<pixels.height {
            try job.check()
            try pixels.withRow(y) { (row: RawSpan) throws -> Void in
                try row.withUnsafeBytes { (row: UnsafeRawBufferPointer) throws -> Void in
                    try writer.writeRow(row)
                }
            }
        }
        try job.check()
        return try writer.finish(job: job)
    }

    // MARK: The thumbnail

    private func thumbnail(of pixels: PixelBuffer, job: Job) throws -> PixelBuffer {
        let box = PixelSize(Self.maxThumbnailSide, Self.maxThumbnailSide)
        return try pixels.resampled(to: pixels.size.fitting(box), job: job)
    }

    /// An EXIF block with a thumbnail as good as there is room for.
    private func block(
        _ block: Data?, with thumbnail: PixelBuffer, like recipe: JPEGRecipe, job: Job
    ) throws -> Data {
        // Plain, as EXIF wants it: many readers of thumbnails read nothing else.
        var plain = JPEGRecipe(percent: 0, isGray: recipe.isGray, isBare: true, background: recipe.background)
        for percent in [75, 60, 45, 30, 15] {
            plain.percent = percent
            let made = EXIF.block(block, thumbnail: try write(thumbnail, plain, job: job))
            if made.count <= JPEGWriter.maxEXIFByteCount { return made }
        }
        throw ImageError(
            .encodeFailed, stage: .encode,
            message: "EXIF and a thumbnail need more than the \(JPEGWriter.maxEXIFByteCount) bytes that there are",
            advice: "write less beside the pixels (`metadataPolicy`), or no thumbnail (`embedThumbnail`)")
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

    /// Whether a gray picture may have the profile, which is for as many channels as there are.
    private static func permitsGray(_ profile: ColorProfile) -> Bool {
        guard case .icc(let data) = profile else { return true }
        // The colour space of the data. Source: ICC.1:2022, section 7.2.8.
        return data.dropFirst(16).prefix(4).elementsEqual("GRAY".utf8)
    }
}
#endif
