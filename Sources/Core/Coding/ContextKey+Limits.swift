extension ContextKey where Value == Int {
    /// The maximum number of pixels of a picture.
    public static let maxPixels = ContextKey(
        "maxPixels", default: 268_000_000, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of pixels of a picture, checked before memory is allocated.")
    /// The maximum side of a picture, in pixels.
    public static let maxSidePixels = ContextKey(
        "maxSidePixels", default: 65_535, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum side of a picture, in pixels.")
    // Two minutes at 30 frames a second. The facts about each frame are kept, and are read before the first is shown.
    /// The maximum number of frames of an animation.
    public static let maxFrames = ContextKey(
        "maxFrames", default: 4096, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of frames of an animation, also if a single one is wanted.")
    // A minute of 1280x720 at 30 frames a second. Frames are made on demand, so this limits the work for all frames
    // rather than memory.
    /// The maximum number of pixels in all frames of an animation.
    public static let maxTotalPixels = ContextKey(
        "maxTotalPixels", default: 2_000_000_000, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of pixels in all frames of an animation, each counted whole.")
    /// The maximum length of a color profile, in bytes.
    public static let maxProfileBytes = ContextKey(
        "maxProfileBytes", default: 4 << 20, in: 0...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum length of a color profile, in bytes.")
    // The largest profiles of printing presses take some 3 MB.
    /// The maximum bytes of a profile's curves and tables in memory.
    public static let maxProfileTableBytes = ContextKey(
        "maxProfileTableBytes", default: 8 << 20, in: 0...Int.max, affects: [.transfer, .stored],
        summary: "The maximum memory of a color profile's curves and tables; larger ones count as sRGB.")
    // Cameras write a few KB; programs that keep a history or a depth map in XMP write some MB.
    /// The maximum length of EXIF and XMP together, in bytes.
    public static let maxMetadataBytes = ContextKey(
        "maxMetadataBytes", default: 4 << 20, in: 0...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum length of EXIF and XMP together, in bytes.")
}

extension ContextKey where Value == AdmittedFormats? {
    /// The formats that are decoded although their coders do not accept untrusted bytes
    /// (``ImageCoder/acceptsUntrustedBytes``); nil, the default, admits all.
    ///
    /// A picture of another such format fails with the code `formatRefused` before the coder sees it.
    public static let admittedFormats = ContextKey(
        "admittedFormats", affects: [.transfer, .stored],
        summary: "The formats that are decoded by coders that do not accept untrusted bytes; unset: all.")
}

extension ContextKey where Value == Duration? {
    // Requests that share a decode must agree on it. Images that a cache has are decoded already, so it does not matter
    // for them.
    /// The maximum duration of one decode.
    public static let decodeTimeout = ContextKey(
        "decodeTimeout", affects: [.transfer, .storedVariants],
        summary: "The maximum duration of one decode, from its turn on; none: no limit.")
}

extension ContextSetting {
    /// Refuses pictures of more pixels than this. Default: 268 million.
    ///
    /// All pictures that are in memory at once count: seven of the canvas's size if all frames of an animation are made
    /// and written, and two if a single frame (``frame(_:)``) is drawn on the frames before it. All pixels that are
    /// made on the way to a single frame count too.
    public static func maxPixels(_ count: Int) -> ContextSetting { .set(.maxPixels, to: count) }
    /// Refuses pictures with a side longer than this. Default: 65,535 pixels.
    public static func maxSidePixels(_ count: Int) -> ContextSetting { .set(.maxSidePixels, to: count) }
    /// Refuses animations of more frames than this, even if only one frame is wanted. Default: 4096.
    public static func maxFrames(_ count: Int) -> ContextSetting { .set(.maxFrames, to: count) }
    /// Refuses animations of more pixels than this in all frames together, each counted as the whole canvas. Default: 2
    /// billion.
    ///
    /// A single frame (``frame(_:)``), including the frames that it builds upon, is held only to ``maxPixels(_:)``.
    public static func maxTotalPixels(_ count: Int) -> ContextSetting { .set(.maxTotalPixels, to: count) }
    /// Refuses pictures whose color profile is longer than this. Default: 4 MiB.
    public static func maxProfileBytes(_ count: Int) -> ContextSetting { .set(.maxProfileBytes, to: count) }
    /// Treats pictures as sRGB if the curves and tables of their color profile take more bytes than this in memory,
    /// and reports it as an event. Default: 8 MiB.
    public static func maxProfileTableBytes(_ count: Int) -> ContextSetting { .set(.maxProfileTableBytes, to: count) }
    /// Refuses pictures whose EXIF and XMP together are longer than this. Default: 4 MiB.
    public static func maxMetadataBytes(_ count: Int) -> ContextSetting { .set(.maxMetadataBytes, to: count) }
    /// Decodes formats whose coders do not accept untrusted bytes only if they are named here. Default: all are
    /// decoded.
    public static func admittedFormats(_ formats: AdmittedFormats) -> ContextSetting {
        .set(.admittedFormats, to: formats)
    }
    /// Sets the maximum duration of one decode. Default: no limit.
    ///
    /// The time that a decode waits for its turn does not count; ``timeout(_:)`` includes it. A decode that takes
    /// longer throws `timedOut`. Making all frames of an animation at once, to preload or to write them, is one decode;
    /// making one frame on demand is one too.
    public static func decodeTimeout(_ time: Duration) -> ContextSetting { .set(.decodeTimeout, to: time) }
}

extension ContextDeclaration {
    /// The keys of limits.
    static let limits: [ContextDeclaration] = [
        ContextKey.maxPixels.declaration, ContextKey.maxSidePixels.declaration, ContextKey.maxFrames.declaration,
        ContextKey.maxTotalPixels.declaration, ContextKey.maxProfileBytes.declaration,
        ContextKey.maxProfileTableBytes.declaration, ContextKey.maxMetadataBytes.declaration,
        ContextKey.decodeTimeout.declaration, ContextKey.admittedFormats.declaration,
    ]
}
