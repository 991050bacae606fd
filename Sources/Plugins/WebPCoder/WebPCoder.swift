#if WEBP
public import Calotype

/// A coder for still and animated WebP, based on libwebp.
///
/// The coder reads lossy, lossless and extended files with alpha, profile, EXIF and XMP. Animations are decoded as in
/// web browsers: the background is transparent, and the background color that a file names is ignored. The canvas is
/// transparent before the first frame is drawn. A frame that is disposed to the background leaves its region
/// transparent.
///
/// A still image counts as truncated if pixels are missing, or if the file ends early and lacks EXIF or XMP that its
/// header announces. An animation counts as truncated if the file ends early. A truncated file causes an error. With
/// `allowPartial`, a truncated still image yields its existing part, and a truncated animation yields its complete
/// frames. If the first frame is not complete, the animation yields the existing part of this frame.
///
/// A file may have 1,000 chunks in addition to the chunks of its frames. A file with more chunks counts as damaged.
///
/// When an animation is written, consecutive equal frames become one frame with the sum of their durations.
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
