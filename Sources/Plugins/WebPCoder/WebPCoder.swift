#if WEBP
public import Calotype

/// A coder for still and animated WebP, based on libwebp.
///
/// The coder reads lossy, lossless and extended files with alpha, profile, EXIF and XMP. Animations are decoded as in
/// web browsers: the canvas is transparent before the first frame and where a frame is disposed to the background,
/// whatever background color the file names.
///
/// A still image is complete if its pixels and the announced EXIF and XMP exist. A truncated still image causes an
/// error; with `allowPartial` the existing part is returned. A truncated animation causes an error too; with
/// `allowPartial` its complete frames are returned.
///
/// A file may have 1,000 chunks in addition to its frames; more count as damage.
///
/// When an animation is written, a frame equal to the previous one is merged with it, and their durations are added.
public struct WebPCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
    public init() {}

    public let formats: [ImageFormat] = [.webp]

    public var acceptsUntrustedBytes: Bool { true }

    public var isPureComputation: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try WebPDecoder(bytes.data, options: options)
    }

    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? {
        recognizes(head) ? WebPProgressiveDecoder(options: options) : nil
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .webp ? WebPEncoder() : nil
    }
}
#endif
