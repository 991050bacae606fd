extension ContextKey where Value == PixelSize? {
    /// The maximum size of the decoded picture.
    public static let thumbnailPixelSize = ContextKey(
        "thumbnailPixelSize", affects: [.pixels, .size],
        summary: "Decode to at most this size in pixels, never enlarging; a side of 0 does not limit.")
}

extension ContextKey where Value == Bool {
    /// Whether a thumbnail keeps the picture's shape.
    public static let preservesAspectRatio = ContextKey(
        "preservesAspectRatio", default: true, affects: [.pixels, .shape],
        summary: "Fit the thumbnail into its size; when off, stretch it to exactly that size.")
    /// Whether channels keep more than 8 bits.
    public static let nativeDepth = ContextKey(
        "nativeDepth", affects: .pixels, summary: "Keep more than 8 bits of a channel if the file has them.")
    /// Whether pixels keep their stored orientation.
    public static let keepsOrientation = ContextKey(
        "keepsOrientation", affects: .pixels, summary: "Keep the pixels as stored, with their orientation.")
    /// Whether colors stay in the embedded profile.
    public static let keepsProfile = ContextKey(
        "keepsProfile", affects: .pixels,
        summary: "Keep the colors in the embedded profile instead of sRGB; CMYK is converted to sRGB anyway.")
    /// Whether all frames of an animation are decoded at once.
    public static let preloadsFrames = ContextKey(
        "preloadsFrames", affects: .storedVariants,
        summary: "Decode all frames of an animation at once instead of on demand.")
}

extension ContextKey where Value == Int? {
    /// The single frame to decode; nil for all frames.
    public static let frame = ContextKey(
        "frame", affects: .pixels,
        summary: "The one frame to decode, as a still, 0 being the first; none: all of them, as an animation.")
    /// The maximum number of frames that an animation keeps.
    public static let frameCount = ContextKey(
        "frameCount", in: 1...Int.max, affects: [.pixels, .frameSelection],
        summary: "Keep at most this number of frames of an animation, evenly spread, each shown until the next.")
}

extension ContextKey where Value == Double? {
    /// The maximum number of frames per second that an animation keeps.
    public static let frameRate = ContextKey(
        "frameRate", in: 0.001...FrameSelection.maxRate, affects: [.pixels, .frameSelection],
        summary: "Keep at most this number of frames a second of an animation, each shown until the next.")
}

extension ContextKey where Value == (any ImageCoder)? {
    /// The coder to use instead of the registered ones.
    public static let imageCoder = ContextKey(
        "imageCoder", default: nil, affects: [.transfer, .pixels, .storedVariants],
        isKeptByImages: false, summary: "The coder to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextSetting {
    /// Decodes to at most `width` times `height` pixels, never enlarging. A side of 0 does not limit; two sides of 0
    /// are the same as `.off(.thumbnailPixelSize)`.
    public static func thumbnailPixelSize(_ width: Int, _ height: Int) -> ContextSetting {
        let size = PixelSize(width: max(0, width), height: max(0, height))
        return .set(.thumbnailPixelSize, to: size == PixelSize(0, 0) ? nil : size)
    }
    /// Sets whether a thumbnail keeps the picture's shape. Default: true.
    public static func preservesAspectRatio(_ isOn: Bool) -> ContextSetting { .set(.preservesAspectRatio, to: isOn) }
    /// Keeps more than 8 bits of a channel if the file has them.
    public static var nativeDepth: ContextSetting { .on(.nativeDepth) }
    /// Leaves the pixels as stored; ``Image/Attributes/orientation`` says how to turn them.
    public static var keepsOrientation: ContextSetting { .on(.keepsOrientation) }
    /// Leaves colors in the embedded profile instead of converting them to sRGB; inks are converted anyway.
    public static var keepsProfile: ContextSetting { .on(.keepsProfile) }
    /// Decodes a single frame, as a still; 0 is the first. Default: all frames, as an animation.
    ///
    /// Throws `noSuchFrame` if the file does not have the frame. A still has only frame 0.
    public static func frame(_ index: Int) -> ContextSetting { .set(.frame, to: index) }
    /// Decodes only the first frame, as a still: the same as `.frame(0)`.
    public static var firstFrameOnly: ContextSetting { .frame(0) }
    /// Keeps at most this number of frames of an animation, at least 1, evenly spread over it. Default: all frames.
    ///
    /// Each frame is shown until the next one, so that the animation lasts as long as before. A single frame becomes a
    /// still. Frames that ``frameRate(_:)`` leaves out do not count. Limits count all frames of the file.
    public static func frameCount(_ count: Int) -> ContextSetting { .set(.frameCount, to: max(1, count)) }
    /// Keeps at most this number of frames per second of an animation, on average. Default: all frames.
    ///
    /// Each frame is shown until the next one, so that the animation lasts as long as before. A rate of 0 or less keeps
    /// all frames.
    public static func frameRate(_ rate: Double) -> ContextSetting {
        .set(.frameRate, to: rate > 0 ? min(rate, FrameSelection.maxRate) : nil)
    }
    /// Decodes all frames of an animation at once, after all transformers, so that showing them costs only memory.
    /// Default: off; each frame is decoded on demand.
    ///
    /// The setting is not part of any identity: an image that is in memory already, or that another request is making,
    /// is returned as it is. See ``Image/preloadingFrames(job:)``.
    public static var preloadsFrames: ContextSetting { .on(.preloadsFrames) }
    /// Sets the coder to use instead of the registered ones.
    public static func imageCoder(_ coder: any ImageCoder) -> ContextSetting { .set(.imageCoder, to: coder) }
}

extension ContextDeclaration {
    /// The keys that affect the result of decoding.
    static let coding: [ContextDeclaration] = [
        ContextKey.thumbnailPixelSize.declaration, ContextKey.preservesAspectRatio.declaration,
        ContextKey.nativeDepth.declaration, ContextKey.keepsOrientation.declaration,
        ContextKey.keepsProfile.declaration, ContextKey.frame.declaration, ContextKey.frameCount.declaration,
        ContextKey.frameRate.declaration, ContextKey.preloadsFrames.declaration, ContextKey.imageCoder.declaration,
    ]
}
