/// The options for turning pixels into bytes.
public struct EncodeOptions: Sendable {
    /// The quality of lossy formats, from 0 (smallest) to 1 (best). Lossless formats ignore it.
    public var quality: Double
    /// The color that a format without transparency puts behind transparent pixels. Default: white.
    public var background: PixelColor
    /// The metadata to write beside the pixels, unchanged. Default: none; the manager sets it.
    ///
    /// The manager has removed the metadata that the request does not want, and has set the orientation in the EXIF
    /// block.
    public var metadata = ImageMetadata()
    /// Whether the image's color profile is written. Default: true.
    public var embedsProfile: Bool
    /// Whether a small JPEG of the picture is embedded, if the format has room for one. Default: false.
    public var embedsThumbnail: Bool
    /// Whether the file should be fast to write and to read rather than small. Formats without this choice ignore it.
    /// Default: false; the manager sets it for the variants that it caches.
    public var favorsSpeed = false
    /// A closure that receives problems that do not prevent writing, such as a damaged profile that is left out. An
    /// encoder calls the closure during encoding, on the thread that encodes. Default: does nothing; the manager sets a
    /// closure that reports the problems as events.
    public var onIssue: @Sendable (ImageError) -> Void = { _ in }
    /// The resolved context, from which a coder reads its own keys.
    public var context: ResolvedContext

    /// Creates the options that a context sets for encoding.
    /// - Parameter format: The format to write, which may have its own quality (``ContextKey/formatQualities``).
    ///   Default: nil; the quality is ``ContextKey/compressionQuality``.
    public init(_ context: ResolvedContext = .builtIn, format: ImageFormat? = nil) {
        let own = format.flatMap { context[.formatQualities].quality(of: $0) }
        // With the arguments in this order, NaN becomes 0.
        quality = min(max(0, own ?? context[.compressionQuality]), 1)
        background = context[.encodeBackground]
        embedsProfile = context[.metadataPolicy].keepsProfile
        embedsThumbnail = context[.embedThumbnail]
        self.context = context
    }
}
