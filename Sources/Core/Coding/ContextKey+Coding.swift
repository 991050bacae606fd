extension ContextKey where Value == PixelSize? {
    /// The maximum size of the decoded picture, in pixels. Default: nil, the full size.
    public static let thumbnailPixelSize = ContextKey(
        "thumbnailPixelSize", affects: [.pixels, .size],
        summary: "Decode to at most this size in pixels, never enlarging; a side of 0 does not limit.")
}

extension ContextKey where Value == Bool {
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public static let preservesAspectRatio = ContextKey(
        "preservesAspectRatio", default: true, affects: [.pixels, .shape],
        summary: "Fit the thumbnail into its size; when off, stretch it to exactly that size.")
    /// Whether channels keep more than 8 bits. Default: false.
    public static let nativeDepth = ContextKey(
        "nativeDepth", affects: .pixels, summary: "Keep more than 8 bits of a channel if the file has them.")
    /// Whether pixels keep their stored orientation. Default: false; they are turned upright.
    public static let keepsOrientation = ContextKey(
        "keepsOrientation", affects: .pixels, summary: "Keep the pixels as stored, with their orientation.")
    /// Whether colors stay in the embedded profile. Default: false; they are converted to sRGB.
    public static let keepsProfile = ContextKey(
        "keepsProfile", affects: .pixels,
        summary: "Keep the colors in the embedded profile instead of sRGB; CMYK is converted to sRGB anyway.")
    /// Whether all frames of an animation are decoded at once. Default: false; each frame is decoded on demand.
    public static let preloadsFrames = ContextKey(
        "preloadsFrames", affects: .storedVariants,
        summary: "Decode all frames of an animation at once instead of on demand.")
}

extension ContextKey where Value == Int? {
    /// The index of the single frame to decode, as a still; 0 is the first. Default: nil, all frames.
    public static let frame = ContextKey(
        "frame", affects: .pixels,
        summary: "The one frame to decode, as a still, 0 being the first; none: all of them, as an animation.")
    /// The maximum number of frames that an animation keeps, at least 1. Default: nil, all frames.
    public static let frameCount = ContextKey(
        "frameCount", in: 1...Int.max, affects: [.pixels, .frameSelection],
        summary: "Keep at most this number of frames of an animation, evenly spread, each shown until the next.")
}

extension ContextKey where Value == Double? {
    /// The maximum number of frames per second that an animation keeps, 0.001...1000. Default: nil, all frames.
    public static let frameRate = ContextKey(
        "frameRate", in: 0.001...FrameSelection.maxRate, affects: [.pixels, .frameSelection],
        summary: "Keep at most this number of frames a second of an animation, each shown until the next.")
}

extension ContextKey where Value == (any ImageCoder)? {
    /// The coder to use instead of the registered ones. Default: nil, the registered coders.
    public static let imageCoder = ContextKey(
        "imageCoder", default: nil, affects: [.transfer, .pixels, .storedVariants],
        isKeptByImages: false, summary: "The coder to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextSetting {
    /// Decodes to at most `width` times `height` pixels, never enlarging. Default: the full size.
    ///
    /// A side of 0 is not limited. Two sides of 0 are the same as `.off(.thumbnailPixelSize)`.
    public static func thumbnailPixelSize(_ width: Int, _ height: Int) -> ContextSetting {
        let size = PixelSize(width: max(0, width), height: max(0, height))
        return .set(.thumbnailPixelSize, to: size == PixelSize(0, 0) ? nil : size)
    }
    /// Sets whether a thumbnail keeps the picture's shape. Default: true.
    public static func preservesAspectRatio(_ isOn: Bool) -> ContextSetting { .set(.preservesAspectRatio, to: isOn) }
    /// Keeps more than 8 bits of a channel if the file has them. Default: off; channels get 8 bits.
    public static var nativeDepth: ContextSetting { .on(.nativeDepth) }
    /// Leaves the pixels in their stored orientation, which ``Image/Attributes/orientation`` then states. Default: off;
    /// pixels are turned upright.
    public static var keepsOrientation: ContextSetting { .on(.keepsOrientation) }
    /// Leaves colors in the embedded profile. Default: off; they are converted to sRGB. CMYK is converted to sRGB in
    /// both cases.
    public static var keepsProfile: ContextSetting { .on(.keepsProfile) }
    /// Decodes a single frame, as a still; 0 is the first. Default: all frames, as an animation.
    ///
    /// Decoding throws `noSuchFrame` if the file does not have the frame. A still has only frame 0.
    public static func frame(_ index: Int) -> ContextSetting { .set(.frame, to: index) }
    /// Decodes only the first frame, as a still: the same as `.frame(0)`.
    public static var firstFrameOnly: ContextSetting { .frame(0) }
    /// Keeps at most this number of frames of an animation, evenly spread over it. Default: all frames.
    ///
    /// Each frame is shown until the next one, so that the animation lasts as long as before. A single frame becomes a
    /// still. A number less than 1 counts as 1. If ``frameRate(_:)`` is set too, the number applies to the frames that
    /// the rate keeps. The limits of a request, such as ``maxFrames(_:)``, count all frames of the file.
    public static func frameCount(_ count: Int) -> ContextSetting { .set(.frameCount, to: max(1, count)) }
    /// Keeps at most this number of frames per second of an animation, on average. Default: all frames.
    ///
    /// Each frame is shown until the next one, so that the animation lasts as long as before. A rate of 0 or less keeps
    /// all frames.
    public static func frameRate(_ rate: Double) -> ContextSetting {
        .set(.frameRate, to: rate > 0 ? min(rate, FrameSelection.maxRate) : nil)
    }
    /// Decodes and transforms all frames of an animation at once, so that showing the frames costs no further work.
    /// Default: off; each frame is made on demand.
    ///
    /// Requests with and without this setting share images: an image that is in memory already, or that another request
    /// is making, is returned as it is. To preload its frames, call ``Image/preloadingFrames(job:)``.
    public static var preloadsFrames: ContextSetting { .on(.preloadsFrames) }
    /// Sets the coder to use instead of the registered ones.
    public static func imageCoder(_ coder: any ImageCoder) -> ContextSetting { .set(.imageCoder, to: coder) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for size, depth, orientation, color profile, frames and coder.
    static let coding: [ContextDeclaration] = [
        ContextKey.thumbnailPixelSize.declaration, ContextKey.preservesAspectRatio.declaration,
        ContextKey.nativeDepth.declaration, ContextKey.keepsOrientation.declaration,
        ContextKey.keepsProfile.declaration, ContextKey.frame.declaration, ContextKey.frameCount.declaration,
        ContextKey.frameRate.declaration, ContextKey.preloadsFrames.declaration, ContextKey.imageCoder.declaration,
    ]
}
