#if PNG
import Calotype

/// Writes PNG without loss: 8 bits for `rgba8`, else 16.
///
/// Of the colour types that hold the picture it takes the smallest that can be told from the layout; no pixel is looked
/// at for that. Of an animation the first frame is written.
struct PNGEncoder: ImageEncoder {
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let pixels = image.pixels
        let attributes = image.attributes
        let level: Int = options.context[.pngCompressionLevel]
        let writer = try PNGWriter()
        try writer.setPicture(
            pixels.layout, channels: Self.channels(of: pixels.layout, profile: attributes.profile),
            level: min(max(level, 0), 9))
        try writer.setProfile(attributes.profile)
        if attributes.orientation != .up { try writer.setEXIF(EXIF.block(for: attributes.orientation)) }
        try writer.writeHeader()
        for y in 0..<pixels.height {
            try job.check()
            try pixels.withRow(y) { (row: RawSpan) throws -> Void in
                try row.withUnsafeBytes { (row: UnsafeRawBufferPointer) throws -> Void in
                    try writer.writeRow(row)
                }
            }
        }
        return try writer.finish()
    }

    /// How many channels are written: gray, gray and alpha, colour, or colour and alpha.
    private static func channels(of layout: PixelLayout, profile: ColorProfile) -> Int {
        (layout.isGray && permitsGray(profile) ? 1 : 3) + (layout.isOpaque ? 0 : 1)
    }

    /// Whether a gray picture may have the profile: PNG wants a profile for colours in a picture that is stored as
    /// such.
    private static func permitsGray(_ profile: ColorProfile) -> Bool {
        guard case .icc(let data) = profile else { return true }
        // The colour space of the data. Source: ICC.1:2022, section 7.2.8.
        return data.dropFirst(16).prefix(4).elementsEqual("GRAY".utf8)
    }
}
#endif
