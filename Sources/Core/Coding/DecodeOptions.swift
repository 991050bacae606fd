/// The options for turning bytes into pixels.
public struct DecodeOptions: Sendable {
    /// The upright size that the request wants the picture to fit, or to have exactly if the shape is not kept; nil for
    /// the full size.
    ///
    /// A decoder may use it to decode less, as long as both sides stay at least as long as those of `targetSize(of:)`.
    /// The sink makes the exact size.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public var preservesAspectRatio: Bool
    /// The maximum bytes of the pixels of all frames, without padding; 0, the default, does not limit.
    public var scaleDownLimitBytes: Int
    /// The method of scaling a picture down. Default: Lanczos with three lobes, averaging levels.
    public var resampling: Resampling
    /// The amount of work that a decoder may save if only a smaller picture is wanted. Default: `.balanced`, as long as
    /// the difference can hardly be seen.
    public var thumbnailQuality: ThumbnailQuality
    /// Whether more than 8 bits of a channel are kept. Default: false, eight bits.
    public var nativeDepth: Bool
    /// Whether light beyond white is kept, as floating point in which 1 is white; ``nativeDepth`` is true then.
    /// Default: false; brighter light is tone-mapped to white and less.
    public var highDynamicRange: Bool
    /// Whether a damaged picture is decoded in part. Default: false.
    ///
    /// A decoder then gives the rows that it has, and throws `badData` or `incomplete` afterward, as it does in any
    /// case. The rows that it gave are kept, and the others are transparent.
    public var allowsPartial: Bool
    /// Whether ``ImageInfo/metadata`` is wanted. Default: false.
    public var keepsMetadata: Bool
    /// Whether a registered converter may convert the colors of an embedded profile, so that a decoder should give all
    /// their bits. Default: false; the manager sets it.
    public var convertsColors = false
    /// Whether the decoder is one of the library's own (``TruthfulCoder``). Default: false.
    var trustsDecoder = false
    /// The resolved context, from which a coder reads its own keys.
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

    /// Returns the size to make of a picture, as stored. The sizes of the request are upright ones.
    ///
    /// A decoder that decodes less gives at least this size.
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

    /// Returns the deepest pixel format that a decoder gives; many give 8 bits if no more are wanted.
    func sourceFormat(of info: ImageInfo) -> PixelFormat {
        guard !info.hasHighDynamicRange else { return highDynamicRange ? .rgbaFloat : .rgba16 }
        return info.bitDepth > 8 ? .rgba16 : .rgba8
    }

    /// Returns the number of frames that the image of a file has; 1 for a still.
    func shownFrameCount(of info: ImageInfo) -> Int {
        guard info.frameCount > 1, context[.frame] == nil else { return 1 }
        return FrameSelection(of: info.durations, by: context)?.indices.count ?? info.frameCount
    }

    /// Returns the size to make of an upright picture: the size of the thumbnail, or less, in the same shape, if all
    /// frames would take more bytes than they may.
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
