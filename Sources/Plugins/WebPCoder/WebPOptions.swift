#if WEBP
/// Options for writing WebP. An option that is not set has the value of the ``preset-swift.property``.
///
/// The names and the ranges are those of libwebp's `WebPConfig`; a number beyond its range becomes the nearest in it.
/// As text, settings stand between commas: `preset=photo,method=6,sharpYUV`.
public struct WebPOptions: Sendable, Hashable {
    /// The kind of picture, by which libwebp chooses its settings. Default: `default`.
    public var preset = Preset.default
    /// Whether nothing is lost but colors of pixels that are fully transparent. Default: false. The quality of the
    /// request has no meaning then.
    public var lossless = false
    /// The preprocessing that makes a lossless file smaller: 100, the default, for none, 0 for most. Less than 100
    /// makes the file lossless.
    public var nearLossless: Int?
    /// Whether a lossless file keeps the colors of pixels that are fully transparent. Default: false.
    public var exact: Bool?
    /// The effort to find a small file: 0 (fastest) to 6. Default: 4.
    public var method: Int?
    /// The quality of alpha in a lossy file: 0 (smallest) to 100, the default, which loses nothing.
    public var alphaQuality: Int?
    /// Whether alpha is compressed in a lossy file. Default: true.
    public var alphaCompression: Bool?
    /// The effort to find a filter for alpha: 0 (none), 1 (the default), 2 (the best).
    public var alphaFiltering: Int?
    /// Whether luma and chroma are made slowly and sharply of red, green and blue. Default: false.
    public var sharpYUV: Bool?
    /// The length in bytes that a lossy file should have, about. Default: none; `encodeMaxFileBytes` is a limit
    /// instead.
    public var targetSize: Int?
    /// The peak signal-to-noise ratio in decibels that a lossy file should have at least. Default: none.
    public var targetPSNR: Double?
    /// The number of analysis passes of a lossy file: 1 to 10. Default: 1, or 6 to reach a target.
    public var passes: Int?
    /// The most segments of a lossy file: 1 to 4. Default: 4.
    public var segments: Int?
    /// The strength of spatial noise shaping: 0 (off) to 100. Default: 50, or the preset's.
    public var snsStrength: Int?
    /// The strength of the filter against blocks: 0 (off) to 100. Default: 60, or the preset's.
    public var filterStrength: Int?
    /// The sharpness of that filter: 0 (sharpest) to 7. Default: 0, or the preset's.
    public var filterSharpness: Int?
    /// Whether that filter is the strong one. Default: true.
    public var strongFilter: Bool?
    /// Whether the strength of that filter is found by itself. Default: false.
    public var autoFilter: Bool?
    /// The preprocessing: 0 (none, the default), 1 (segments are smoothed), 2 (dithering).
    public var preprocessing: Int?
    /// The binary logarithm of the number of partitions: 0 (the default) to 3. libwebp heeds it for a method below 3.
    public var partitions: Int?
    /// The degradation allowed to fit a limit of the format: 0 (the default) to 100.
    public var partitionLimit: Int?
    /// Whether a lossy file has about the length of a JPEG of the same quality. Default: false.
    public var emulatesJPEGSize: Bool?
    /// Whether several threads are used. Default: false.
    public var multithreading: Bool?
    /// Whether less memory is used, and more time. Default: false.
    public var lowMemory: Bool?
    /// The least and the most frames of an animation from one that needs none before it to the next. Default: 3 and 5,
    /// or 9 and 17 of a lossless one. 0 and 0 is for none but the first.
    public var keyFrameDistance: ClosedRange<Int>?
    /// Whether an animation is made as small as can be, slowly, without frames that need none before them but the
    /// first. Default: false.
    public var minimizesSize: Bool?
    /// Whether each frame of an animation is lossy or lossless, whichever is smaller. Default: false.
    public var mixesFrames: Bool?

    /// Creates options of which none is set.
    public init() {}

    /// A kind of picture.
    public enum Preset: String, Sendable, Hashable, CaseIterable {
        /// Anything.
        case `default`
        /// A portrait, or a picture from indoors.
        case picture
        /// A photo from outdoors.
        case photo
        /// A drawing with sharp lines.
        case drawing
        /// A small colorful picture.
        case icon
        /// Text.
        case text
    }

    /// Whether the file is lossless.
    var isLossless: Bool { lossless || nearLossless ?? 100 < 100 }
}
#endif
