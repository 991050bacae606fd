/// The options for turning bytes into pixels.
public struct DecodeOptions: Sendable {
    /// The maximum size of the finished picture, after any turning and before any transformers. Default: nil, the full
    /// size.
    ///
    /// If ``preservesAspectRatio`` is false, width and height are limited separately. A decoder may decode fewer pixels
    /// than the file has, but at least as many rows and columns as `targetSize(of:)` returns. The ``RowSink`` then
    /// resamples them to the exact size.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public var preservesAspectRatio: Bool
    /// The maximum size of the pixels of all frames together, in bytes without padding. Default: 0, no limit.
    public var scaleDownLimitBytes: Int
    /// The method of scaling a picture down. Default: Lanczos with three lobes, averaging the encoded levels instead of
    /// linear light.
    public var resampling: Resampling
    /// The amount of work that a decoder may save if only a smaller picture is wanted. Default: `.balanced`, which
    /// saves work only as long as the difference can hardly be seen.
    public var thumbnailQuality: ThumbnailQuality
    /// Whether more than 8 bits of a channel are kept. Default: false; channels get 8 bits.
    public var nativeDepth: Bool
    /// Whether highlights above white are kept, as floating point in which 1 is white. Default: false; highlights are
    /// tone-mapped into the range up to white.
    ///
    /// If the context sets the option, ``nativeDepth`` is true as well.
    public var highDynamicRange: Bool
    /// Whether a damaged picture is decoded in part. Default: false.
    ///
    /// If true, a decoder passes every row that it can decode to the sink before it throws `badData` or `incomplete`.
    /// The sink keeps these rows, and makes the others transparent.
    public var allowsPartial: Bool
    /// Whether ``ImageInfo/metadata`` is wanted. Default: false.
    public var keepsMetadata: Bool
    /// Whether a registered converter may convert the colors from the embedded profile. Default: false; the manager
    /// sets it.
    ///
    /// If true, a decoder should give all bits of the colors, even if ``nativeDepth`` is false.
    public var convertsColors = false
    /// The transformers that are done while the picture is decoded; none if there is a thumbnail.
    let transformers: [any RegionTransformer]
    /// Whether the decoder is one of the library's own (``TruthfulCoder``). Default: false.
    var trustsDecoder = false
    /// The resolved context, from which a coder reads its own keys.
    public var context: ResolvedContext

    /// Creates the options that a context sets for decoding.
    public init(_ context: ResolvedContext = .builtIn) {
        thumbnailPixelSize = context[.thumbnailPixelSize]
        preservesAspectRatio = context[.preservesAspectRatio]
        scaleDownLimitBytes = context[.scaleDownLimitBytes]
        let fusion = Fusion(context)
        transformers = fusion.decoded
        resampling =
            fusion.resampling ?? Resampling(filter: context[.resamplingFilter], linear: context[.linearLight])
        thumbnailQuality = context[.thumbnailQuality]
        highDynamicRange = context[.highDynamicRange]
        nativeDepth = context[.nativeDepth] || highDynamicRange
        allowsPartial = context[.allowPartial]
        keepsMetadata = context[.keepsMetadata]
        self.context = context
    }

    /// Returns the size that is needed of the whole picture, before it is turned upright. In contrast,
    /// ``thumbnailPixelSize`` applies to the finished picture.
    ///
    /// A decoder may decode fewer pixels than the file has, but must give a picture of at least this size. The picture
    /// is always the whole one, even if only a part of it is made.
    public func targetSize(of info: ImageInfo) -> PixelSize {
        // A region that is an error is reported when the picture is decoded.
        (try? region(of: info))?.neededSize(of: info.pixelSize) ?? info.pixelSize
    }

    /// Returns the region of a decoded image that is kept, and the size of the result. Throws the errors of
    /// ``region(of:)``.
    /// - Parameters:
    ///   - format: The format of the result.
    ///   - frameCount: The number of frames; 1 for a still.
    func region(
        of image: Image, format: PixelFormat, frameCount: @autoclosure () -> Int
    ) throws(ImageError) -> ResampledRegion {
        guard transformers.isEmpty else {
            return try region(ofStored: image.size, orientation: image.attributes.orientation)
        }
        let target = targetSize(
            ofUpright: image.size, bytesPerPixel: format.bytesPerPixel, frameCount: frameCount())
        return ResampledRegion(of: image.size, resampledTo: target)
    }

    /// Returns the region of a stored picture that the transformers keep.
    private func region(
        ofStored size: PixelSize, orientation: Orientation
    ) throws(ImageError) -> ResampledRegion {
        let upright = orientation.displaySize(of: size)
        return try transformers.region(of: upright, limits: DecodeLimits(context)).stored(as: orientation, in: upright)
    }

    /// Returns the region of the stored picture that is made, and the size of the result.
    ///
    /// Throws `transformFailed` if a transformer keeps no pixels, and `limitExceeded` if its result is too large.
    func region(of info: ImageInfo) throws(ImageError) -> ResampledRegion {
        guard transformers.isEmpty else {
            return try region(ofStored: info.pixelSize, orientation: info.orientation)
        }
        let orientation = turning(of: info)
        let target = targetSize(
            ofUpright: orientation.displaySize(of: info.pixelSize),
            bytesPerPixel: pixelFormat(of: info).bytesPerPixel,
            frameCount: shownFrameCount(of: info))
        return ResampledRegion(of: info.pixelSize, resampledTo: orientation.displaySize(of: target))
    }

    /// Returns the format of the pixels that are made from a file.
    func pixelFormat(of info: ImageInfo) -> PixelFormat { nativeDepth ? sourceFormat(of: info) : .rgba8 }

    /// Returns the pixel format with the most bits that a decoder may give for a file.
    func sourceFormat(of info: ImageInfo) -> PixelFormat {
        guard !info.hasHighDynamicRange else { return highDynamicRange ? .rgbaFloat : .rgba16 }
        return info.bitDepth > 8 ? .rgba16 : .rgba8
    }

    /// Returns the number of frames of the image that is made from a file; 1 for a still.
    func shownFrameCount(of info: ImageInfo) -> Int {
        guard info.frameCount > 1, context[.frame] == nil else { return 1 }
        return FrameSelection(of: info.durations, by: context)?.indices.count ?? info.frameCount
    }

    /// Returns the size of the finished picture, for an upright picture of the given size. It is smaller than the size
    /// of the thumbnail if all frames together would exceed ``scaleDownLimitBytes``.
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
