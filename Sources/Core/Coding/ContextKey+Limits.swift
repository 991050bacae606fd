extension ContextKey where Value == Int {
    /// The maximum number of pixels of a picture. Default: 268 million.
    public static let maxPixels = ContextKey(
        "maxPixels", default: 268_000_000, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of pixels of a picture, checked before memory is allocated.")
    /// The maximum side of a picture, in pixels. Default: 65,535.
    public static let maxSidePixels = ContextKey(
        "maxSidePixels", default: 65_535, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum side of a picture, in pixels.")
    // Two minutes at 30 frames a second. The properties of all frames are read before the first is shown, and are kept.
    /// The maximum number of frames of an animation. Default: 4096.
    public static let maxFrames = ContextKey(
        "maxFrames", default: 4096, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of frames of an animation, also if a single one is wanted.")
    // A minute of 1280x720 at 30 frames a second. Frames are made on demand, so this limits the work for all frames
    // rather than memory.
    /// The maximum number of pixels in all frames of an animation together. Each frame counts as the whole canvas.
    /// Default: 2 billion.
    public static let maxTotalPixels = ContextKey(
        "maxTotalPixels", default: 2_000_000_000, in: 1...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum number of pixels in all frames of an animation, each counted whole.")
    /// The maximum length of a color profile, in bytes. Default: 4 MiB.
    public static let maxProfileBytes = ContextKey(
        "maxProfileBytes", default: 4 << 20, in: 0...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum length of a color profile, in bytes.")
    // The largest profiles of printing presses take some 3 MB.
    /// The maximum number of bytes that the curves and tables of a color profile take in memory. Default: 8 MiB.
    public static let maxProfileTableBytes = ContextKey(
        "maxProfileTableBytes", default: 8 << 20, in: 0...Int.max, affects: [.transfer, .stored],
        summary: "The maximum memory of a color profile's curves and tables; larger ones count as sRGB.")
    // Cameras write a few KB; programs that keep a history or a depth map in XMP write some MB.
    /// The maximum length of EXIF and XMP together, in bytes. Default: 4 MiB.
    public static let maxMetadataBytes = ContextKey(
        "maxMetadataBytes", default: 4 << 20, in: 0...Int.max, affects: [.transfer, .stored, .storedVariants],
        summary: "The maximum length of EXIF and XMP together, in bytes.")
}

extension ContextKey where Value == AdmittedFormats? {
    /// The formats whose coders may decode even if the coders do not accept untrusted bytes
    /// (``ImageCoder/acceptsUntrustedBytes``). Default: nil, which admits all formats.
    ///
    /// If the value is set, a coder that does not accept untrusted bytes is asked for a decoder only if the value names
    /// one of its formats. If all coders that recognize a picture are excluded in this way, the request fails with the
    /// code `formatRefused`.
    public static let admittedFormats = ContextKey(
        "admittedFormats", affects: [.transfer, .stored],
        summary: "The formats that are decoded by coders that do not accept untrusted bytes; unset: all.")
}

extension ContextKey where Value == Duration? {
    // Requests that share a decode must agree on the timeout. Cache entries do not depend on the timeout, because it
    // does not change the picture.
    /// The maximum duration of one decode. Default: nil, no limit.
    public static let decodeTimeout = ContextKey(
        "decodeTimeout", affects: [.transfer, .storedVariants],
        summary: "The maximum duration of one decode, from its turn on; none: no limit.")
}

extension ContextSetting {
    /// Refuses pictures of more pixels than this. Default: 268 million.
    ///
    /// For an animation, the limit applies to the total pixels of the canvas-sized pictures that are in memory at once.
    /// If a single frame is requested (``frame(_:)``), two such pictures are counted, or one if the frame replaces the
    /// whole canvas. Otherwise, seven are counted, because making and writing all frames keeps up to seven in memory at
    /// once.
    ///
    /// For a single frame, the limit also applies to the total number of pixels of the frame and of the frames that it
    /// builds upon.
    public static func maxPixels(_ count: Int) -> ContextSetting { .set(.maxPixels, to: count) }
    /// Refuses pictures with a side longer than this. Default: 65,535 pixels.
    public static func maxSidePixels(_ count: Int) -> ContextSetting { .set(.maxSidePixels, to: count) }
    /// Refuses animations of more frames than this, even if only one frame is wanted. Default: 4096.
    public static func maxFrames(_ count: Int) -> ContextSetting { .set(.maxFrames, to: count) }
    /// Refuses animations whose frames together have more pixels than this. Default: 2 billion.
    ///
    /// Each frame counts as the whole canvas. This limit does not apply if a single frame (``frame(_:)``) is decoded
    /// from a file. ``maxPixels(_:)`` then limits the pixels of the frame and of the frames that it builds upon.
    public static func maxTotalPixels(_ count: Int) -> ContextSetting { .set(.maxTotalPixels, to: count) }
    /// Refuses pictures whose color profile is longer than this number of bytes. Default: 4 MiB.
    public static func maxProfileBytes(_ count: Int) -> ContextSetting { .set(.maxProfileBytes, to: count) }
    /// Treats a picture as sRGB if the curves and tables of its color profile take more bytes than this in memory.
    /// Default: 8 MiB.
    ///
    /// An event reports the profile that is not used.
    public static func maxProfileTableBytes(_ count: Int) -> ContextSetting { .set(.maxProfileTableBytes, to: count) }
    /// Refuses pictures whose EXIF and XMP together are longer than this number of bytes. Default: 4 MiB.
    public static func maxMetadataBytes(_ count: Int) -> ContextSetting { .set(.maxMetadataBytes, to: count) }
    /// Sets the formats whose coders may decode even if the coders do not accept untrusted bytes
    /// (``ImageCoder/acceptsUntrustedBytes``). Default: all formats.
    public static func admittedFormats(_ formats: AdmittedFormats) -> ContextSetting {
        .set(.admittedFormats, to: formats)
    }
    /// Sets the maximum duration of one decode. Default: no limit.
    ///
    /// A decode that takes longer throws `timedOut`. The time that a decode waits for its turn does not count;
    /// ``timeout(_:)`` includes that time. Making all frames of an animation at once, to preload or to write them, is
    /// one decode. Making one frame on demand is one decode too.
    public static func decodeTimeout(_ time: Duration) -> ContextSetting { .set(.decodeTimeout, to: time) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for limits.
    static let limits: [ContextDeclaration] = [
        ContextKey.maxPixels.declaration, ContextKey.maxSidePixels.declaration, ContextKey.maxFrames.declaration,
        ContextKey.maxTotalPixels.declaration, ContextKey.maxProfileBytes.declaration,
        ContextKey.maxProfileTableBytes.declaration, ContextKey.maxMetadataBytes.declaration,
        ContextKey.decodeTimeout.declaration, ContextKey.admittedFormats.declaration,
    ]
}
