/// The options for turning bytes into pixels.
public struct DecodeOptions: Sendable {
    /// The size upright that the request wants the picture to fit, or to have exactly; nil for all of it.
    ///
    /// A decoder may use it to decode less, as long as both sides stay at least as long as `targetSize(of:)` says; the
    /// exact size is made behind the sink.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public var preservesAspectRatio: Bool
    /// The most bytes that the pixels of all frames may take, without padding; 0, the default, for any number.
    public var scaleDownLimitBytes: Int
    /// The resampling that makes a picture smaller. Default: Lanczos with three lobes, on levels.
    public var resampling: Resampling
    /// The amount of work that a decoder may save where only a smaller picture is wanted. Default: as long as it can
    /// hardly be seen.
    public var thumbnailQuality: ThumbnailQuality
    /// Whether more than 8 bits of a channel are kept. Default: false, eight bits.
    public var nativeDepth: Bool
    /// Whether light beyond white is kept, as floating point in which 1 is white; ``nativeDepth`` is true then.
    /// Default: false, what is brighter is brought to white and less.
    public var highDynamicRange: Bool
    /// Whether a damaged picture is shown as far as it goes. Default: false.
    ///
    /// A decoder then gives what it has of a picture and throws `badData` or `incomplete` afterwards, as it does in any
    /// case: what it gave is kept, and the rows that it did not give are transparent.
    public var allowsPartial: Bool
    /// Whether ``ImageInfo/metadata`` is wanted. Default: false.
    public var keepsMetadata: Bool
    /// Whether somebody is there to convert the colours of an embedded profile, so that a decoder should give all that
    /// it has of them. Default: false; the manager says so.
    public var convertsColors = false
    /// Whether the decoder is one of the library's own (``TruthfulCoder``). Default: false.
    var trustsDecoder = false
    /// All values in force: a coder reads its own keys here.
    public var context: ResolvedContext

    /// Creates the options that a context sets for decoding.
    public init(_ context: ResolvedContext = .builtIn) {
        thumbnailPixelSize = context[.thumbnailPixelSize]
        preservesAspectRatio = context[.preservesAspectRatio]
        scaleDownLimitBytes = context[.scaleDownLimitBytes]
        resampling = Resampling(filter: context[.resamplingFilter], linear: context[.linearLight])
        thumbnailQuality = context[.thumbnailQuality]
        highDynamicRange = context[.highDynamicRange]
        nativeDepth = context[.nativeDepth] || highDynamicRange
        allowsPartial = context[.allowPartial]
        keepsMetadata = context[.keepsMetadata]
        self.context = context
    }

    /// The size to make of a picture, as stored: the request speaks of it upright.
    ///
    /// A decoder which decodes less gives at least this.
    public func targetSize(of info: ImageInfo) -> PixelSize {
        let orientation = turning(of: info)
        let target = targetSize(
            ofUpright: orientation.displaySize(of: info.pixelSize),
            bytesPerPixel: pixelFormat(of: info).bytesPerPixel,
            frameCount: shownFrameCount(of: info))
        return orientation.displaySize(of: target)
    }

    /// Returns the format of the pixels that are made of a file.
    func pixelFormat(of info: ImageInfo) -> PixelFormat { nativeDepth ? sourceFormat(of: info) : .rgba8 }

    /// Returns the format of the pixels that a decoder gives at most; many give 8 bits where no more are wanted.
    func sourceFormat(of info: ImageInfo) -> PixelFormat {
        guard !info.hasHighDynamicRange else { return highDynamicRange ? .rgbaFloat : .rgba16 }
        return info.bitDepth > 8 ? .rgba16 : .rgba8
    }

    /// Returns the number of frames that the image of a file has; 1 for a still.
    func shownFrameCount(of info: ImageInfo) -> Int {
        guard info.frameCount > 1, context[.frame] == nil else { return 1 }
        return FrameSelection(of: info.durations, by: context)?.indices.count ?? info.frameCount
    }

    /// The size to make of pictures of a size upright: that of the thumbnail, or less, in its shape, where all of them
    /// would take more bytes than they may.
    func targetSize(
        ofUpright size: PixelSize, bytesPerPixel: Int, frameCount: @autoclosure () -> Int
    ) -> PixelSize {
        var target = size
        if let thumbnailPixelSize {
            target = target.thumbnail(in: thumbnailPixelSize, preservingAspectRatio: preservesAspectRatio)
        }
        guard scaleDownLimitBytes > 0 else { return target }
        return target.within(
            byteCount: scaleDownLimitBytes, bytesPerPixel: bytesPerPixel, frameCount: frameCount())
    }
}
