/// The options for turning pixels into bytes.
public struct EncodeOptions: Sendable {
    /// The quality of lossy formats, from 0 (smallest) to 1 (best). Lossless formats ignore it.
    public var quality: Double
    /// The color that a format without transparency puts behind transparent pixels. Default: white.
    public var background: PixelColor
    /// The metadata to write beside the pixels, unchanged: the manager has removed what the request does not want, and
    /// has set the orientation in the EXIF block. Default: none; the manager fills it in.
    public var metadata = ImageMetadata()
    /// Whether the image's colour profile is written. Default: true.
    public var embedsProfile: Bool
    /// Whether a small JPEG of the picture is written beside it, where the format has room for one. Default: false.
    public var embedsThumbnail: Bool
    /// Receives what an encoder leaves out of a file that is written all the same, such as a profile that is not sound.
    /// Called while it encodes, in its thread. Default: ignored; the manager reports it as an event.
    public var onIssue: @Sendable (ImageError) -> Void = { _ in }
    /// All values in force: a coder reads its own keys here.
    public var context: ResolvedContext

    /// Creates the options that a context sets for encoding.
    /// - Parameter format: The format to be written, which may have a quality of its own; nil, the default, for any.
    public init(_ context: ResolvedContext = .builtIn, format: ImageFormat? = nil) {
        let own = format.flatMap { context[.formatQualities].quality(of: $0) }
        // In this order, what is not a number becomes 0.
        quality = min(max(0, own ?? context[.compressionQuality]), 1)
        background = context[.encodeBackground]
        embedsProfile = context[.metadataPolicy].keepsProfile
        embedsThumbnail = context[.embedThumbnail]
        self.context = context
    }
}
