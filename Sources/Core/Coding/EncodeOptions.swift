/// How pixels are to become bytes.
public struct EncodeOptions: Sendable {
    /// How good a lossy format should be: 0 (smallest) to 1 (best). Formats without loss ignore it.
    public var quality: Double
    /// What a format without transparency puts behind what is transparent. Default: white.
    public var background: PixelColor
    /// What is to be written beside the pixels, as it is: what the request does not want is taken out, and the EXIF
    /// block says the image's orientation. Nil is nothing. Default: none; the manager fills it in.
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

    /// What a context says of encoding.
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
