/// How bytes are to become pixels.
public struct DecodeOptions: Sendable {
    /// The size upright that the request wants the picture to fit, or to have exactly; nil for all of it.
    ///
    /// A decoder may use it to decode less, as long as both sides stay at least as long as it asks; the exact size is
    /// made behind the sink.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public var preservesAspectRatio: Bool
    /// How a thumbnail is made. Default: Lanczos with three lobes, on levels.
    public var resampling: Resampling
    /// How far a decoder may save work where only a thumbnail is wanted. Default: as long as it can hardly be seen.
    public var thumbnailQuality: ThumbnailQuality
    /// Whether more than 8 bits of a channel are kept. Default: false, eight bits.
    public var nativeDepth: Bool
    /// Whether somebody is there to convert the colours of an embedded profile, so that a decoder should give all that
    /// it has of them. Default: false; the manager says so.
    public var convertsColors = false
    /// All values in force: a coder reads its own keys here.
    public var context: ResolvedContext

    /// What a context says of decoding.
    public init(_ context: ResolvedContext = .builtIn) {
        thumbnailPixelSize = context[.thumbnailPixelSize]
        preservesAspectRatio = context[.preservesAspectRatio]
        resampling = Resampling(filter: context[.resamplingFilter], linear: context[.linearLight])
        thumbnailQuality = context[.thumbnailQuality]
        nativeDepth = context[.nativeDepth]
        self.context = context
    }

    /// The size to make of a picture, as stored: the request speaks of it upright.
    ///
    /// A decoder which decodes less gives at least this.
    public func targetSize(of info: ImageInfo) -> PixelSize {
        guard let thumbnailPixelSize else { return info.pixelSize }
        let orientation = context[.keepsOrientation] ? .up : info.orientation
        let shown = orientation.displaySize(of: info.pixelSize)
        let target = shown.thumbnail(in: thumbnailPixelSize, preservingAspectRatio: preservesAspectRatio)
        return orientation.displaySize(of: target)
    }
}
