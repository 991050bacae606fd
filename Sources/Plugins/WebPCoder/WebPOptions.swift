#if WEBP
/// Options for writing WebP. An option that is not set has the value of the ``preset-swift.property``.
///
/// The names and ranges are those of libwebp's `WebPConfig`. A number outside its range is clamped. The text form is a
/// list separated by commas: `preset=photo,method=6,sharpYUV`.
public struct WebPOptions: Sendable, Hashable {
    /// The kind of picture, which determines libwebp's settings. Default: `default`.
    public var preset = Preset.default
    /// Whether the file is lossless, except for the colors of fully transparent pixels. Default: false. If true, the
    /// quality of the request has no effect.
    public var lossless = false
    /// The preprocessing that makes a lossless file smaller: 100 (none, the default) to 0 (maximum). A value below 100
    /// makes the file lossless.
    public var nearLossless: Int?
    /// Whether a lossless file keeps the colors of fully transparent pixels. Default: false.
    public var exact: Bool?
    /// The effort for a small file: 0 (fastest) to 6 (smallest). Default: 4.
    public var method: Int?
    /// The quality of alpha in a lossy file: 0 (smallest) to 100 (lossless). Default: 100.
    public var alphaQuality: Int?
    /// Whether alpha is compressed in a lossy file. Default: true.
    public var alphaCompression: Bool?
    /// The effort for the alpha filter: 0 (none), 1 (fast) or 2 (best). Default: 1.
    public var alphaFiltering: Int?
    /// Whether red, green and blue are converted to luma and chroma by a slow and sharp method. Default: false.
    public var sharpYUV: Bool?
    /// The approximate length of a lossy file in bytes. Default: none. For a limit, use `encodeMaxFileBytes`.
    public var targetSize: Int?
    /// The minimum peak signal-to-noise ratio of a lossy file in decibels. Default: none.
    public var targetPSNR: Double?
    /// The number of analysis passes of a lossy file: 1 to 10. Default: 1, or 6 to reach a target.
    public var passes: Int?
    /// The maximum number of segments of a lossy file: 1 to 4. Default: 4.
    public var segments: Int?
    /// The strength of spatial noise shaping: 0 (off) to 100. Default: 50, or the preset's.
    public var snsStrength: Int?
    /// The strength of the deblocking filter: 0 (off) to 100. Default: 60, or the preset's.
    public var filterStrength: Int?
    /// The sharpness of the deblocking filter: 0 (sharpest) to 7. Default: 0, or the preset's.
    public var filterSharpness: Int?
    /// Whether the deblocking filter is the strong one. Default: true.
    public var strongFilter: Bool?
    /// Whether the strength of the deblocking filter is determined automatically. Default: false.
    public var autoFilter: Bool?
    /// The preprocessing: 0 (none, the default), 1 (segment smoothing), 2 (dithering).
    public var preprocessing: Int?
    /// The binary logarithm of the number of partitions: 0 (the default) to 3. libwebp only uses it if the method is
    /// below 3.
    public var partitions: Int?
    /// The degradation allowed to fit a limit of the format: 0 (the default) to 100.
    public var partitionLimit: Int?
    /// Whether a lossy file has approximately the length of a JPEG with the same quality. Default: false.
    public var emulatesJPEGSize: Bool?
    /// Whether the encoder uses several threads. Default: false.
    public var multithreading: Bool?
    /// Whether the encoder uses less memory and more time. Default: false.
    public var lowMemory: Bool?
    /// The minimum and the maximum distance of key frames in an animation. Default: 3 and 5, or 9 and 17 for a lossless
    /// animation. With 0 and 0, only the first frame is a key frame.
    public var keyFrameDistance: ClosedRange<Int>?
    /// Whether an animation is made as small as possible, slowly, with only the first frame as a key frame. Default:
    /// false.
    public var minimizesSize: Bool?
    /// Whether each frame of an animation is lossy or lossless, depending on which is smaller. Default: false.
    public var mixesFrames: Bool?

    /// Creates options without any values.
    public init() {}

    /// A kind of picture.
    public enum Preset: String, Sendable, Hashable, CaseIterable {
        /// Any picture.
        case `default`
        /// A portrait or an indoor picture.
        case picture
        /// An outdoor photo.
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
