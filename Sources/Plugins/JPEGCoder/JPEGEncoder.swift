#if JPEG
import Calotype

/// Writes JPEG: gray with one channel where the layout says so, else YCbCr, of 8 bits.
///
/// What is transparent is put on white. Of an animation the first frame is written.
struct JPEGEncoder: ImageEncoder {
    /// What libjpeg allows. The format itself would hold 35 more.
    private static let maxSide = 65_500

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let pixels = image.pixels
        let attributes = image.attributes
        guard max(pixels.width, pixels.height) <= Self.maxSide else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                message: "cannot be written as JPEG: \(pixels.size) pixels, and a side may have \(Self.maxSide)",
                advice: "make it smaller, or write PNG")
        }
        let writer = try JPEGWriter()
        try writer.start(
            pixels.layout, isGray: pixels.isGray && Self.permitsGray(attributes.profile),
            quality: Self.percent(options.quality), isProgressive: options.context[.jpegProgressive],
            subsampling: options.context[.jpegSubsampling])
        if attributes.orientation != .up { try writer.writeEXIF(EXIF.block(for: attributes.orientation)) }
        if case .icc(let profile) = attributes.profile { try writer.writeProfile(profile) }
        for y in 0..<pixels.height {
            try job.check()
            try pixels.withRow(y) { (row: RawSpan) throws -> Void in
                try row.withUnsafeBytes { (row: UnsafeRawBufferPointer) throws -> Void in
                    try writer.writeRow(row)
                }
            }
        }
        try job.check()
        return try writer.finish()
    }

    /// A quality of 0...1 as libjpeg counts it, from 1 to 100.
    private static func percent(_ quality: Double) -> Int {
        // Written so that what is not a number becomes 1.
        quality > 0.01 ? Int((min(quality, 1) * 100).rounded()) : 1
    }

    /// Whether a gray picture may have the profile, which is for as many channels as there are.
    private static func permitsGray(_ profile: ColorProfile) -> Bool {
        guard case .icc(let data) = profile else { return true }
        // The colour space of the data. Source: ICC.1:2022, section 7.2.8.
        return data.dropFirst(16).prefix(4).elementsEqual("GRAY".utf8)
    }
}
#endif
