#if WEBP
public import Calotype

/// Reads and writes WebP, still and animated, with libwebp.
///
/// Lossy, lossless and extended files are read, with alpha, profile, EXIF and XMP. The frames of an animation are
/// shown as browsers show them: the canvas is transparent before the first, and where a frame is disposed to the
/// background, whatever background color the file names.
///
/// A still is complete when its pixels are there, and the EXIF and XMP that its header announces. One that is cut off
/// before that is an error, or, where a part is allowed, what is there. An animation that is cut off is an error, or,
/// where a part is allowed, the frames that are there as a whole.
///
/// A file may have 1,000 chunks beside its frames; more are damage.
///
/// When an animation is written, a frame that is equal to the one before becomes one with it, which lasts as long as
/// both.
public struct WebPCoder: ImageCoder, TruthfulCoder {
    /// A coder.
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
