#if WEBP
/// Options for writing WebP. An option that is nil has its default value. For some options, that value depends on the
/// ``preset-swift.property``.
///
/// The ranges are those of libwebp's `WebPConfig`. A number outside its range is clamped. In text, the options are
/// separated by commas, for example `preset=photo,method=6,sharpYUV`.
public struct WebPOptions: Sendable, Hashable {
    /// The kind of picture, which determines the default values of several other options. Default: `default`.
    public var preset = Preset.default
    /// Whether the file is lossless. Default: false. If true, the quality of the request has no effect. The colors of
    /// fully transparent pixels are kept only with ``exact``.
    public var lossless = false
    /// The amount of preprocessing that makes a lossless file smaller, at the cost of small changes to the pixels: 100
    /// (none, the default) to 0 (maximum). A value below 100 makes the encoder use lossless compression.
    public var nearLossless: Int?
    /// Whether the encoder keeps the colors of fully transparent pixels, exactly in a lossless file and approximately
    /// in a lossy one. If false, these colors are replaced to make the file smaller. Default: false.
    public var exact: Bool?
    /// The effort of the encoder: 0 (fastest) to 6 (smallest file). Default: 4.
    public var method: Int?
    /// The quality of alpha in a lossy file: 0 (smallest file) to 100 (lossless). Default: 100.
    public var alphaQuality: Int?
    /// Whether alpha is compressed in a lossy file. Default: true.
    public var alphaCompression: Bool?
    /// The effort with which a filter for alpha is chosen: 0 (no filter), 1 (fast) or 2 (best). Default: 1.
    public var alphaFiltering: Int?
    /// Whether the encoder converts red, green and blue to luma and chroma with a slower method that keeps edges
    /// sharper. Default: false.
    public var sharpYUV: Bool?
    /// The approximate length in bytes that the encoder tries to reach in a lossy file. Default: none. A file can be
    /// longer; for a hard limit, use `encodeMaxFileBytes`.
    public var targetSize: Int?
    /// The minimum peak signal-to-noise ratio that the encoder tries to reach in a lossy file, in decibels. A value
    /// above 99 counts as 99. Default: none.
    public var targetPSNR: Double?
    /// The number of analysis passes of a lossy file: 1 to 10. Default: 1, or 6 with ``targetSize`` or ``targetPSNR``.
    public var passes: Int?
    /// The maximum number of segments into which the encoder divides a lossy picture: 1 to 4. Default: 4.
    public var segments: Int?
    /// The strength of spatial noise shaping: 0 (off) to 100 (strongest). Default: 50, or the value of the preset.
    public var snsStrength: Int?
    /// The strength of the deblocking filter: 0 (off) to 100 (strongest). Default: 60, or the value of the preset.
    public var filterStrength: Int?
    /// The sharpness of the deblocking filter: 0 (sharpest) to 7 (least sharp). Default: 0, or the value of the preset.
    public var filterSharpness: Int?
    /// Whether the deblocking filter is libwebp's strong one instead of the simple one. Default: true.
    public var strongFilter: Bool?
    /// Whether the encoder adjusts the strength of the deblocking filter to the picture. Default: false.
    public var autoFilter: Bool?
    /// The preprocessing of a lossy file: 0 (none, the default), 1 (segment smoothing) or 2 (dithering).
    public var preprocessing: Int?
    /// The base-2 logarithm of the number of partitions of a lossy file: 0 (one partition, the default) to 3 (eight
    /// partitions). libwebp uses this option only if ``method`` is below 3 or ``lowMemory`` is true.
    public var partitions: Int?
    /// The loss of quality that is allowed so that the prediction modes of a lossy file fit into 512 KiB, the limit of
    /// the format: 0 (none, the default) to 100 (the most).
    public var partitionLimit: Int?
    /// Whether the encoder makes a lossy file approximately as long as a JPEG with the same quality. Default: false.
    public var emulatesJPEGSize: Bool?
    /// Whether the encoder uses several threads. Default: false.
    public var multithreading: Bool?
    /// Whether the encoder uses less memory but takes more time. Default: false.
    public var lowMemory: Bool?
    /// The minimum and the maximum distance, in frames, between consecutive key frames of an animation. Default: 3 and
    /// 5, or 9 and 17 for a lossless animation. With 0 and 0, only the first frame is a key frame.
    public var keyFrameDistance: ClosedRange<Int>?
    /// Whether the encoder makes an animation as small as possible, which is slow. If true, only the first frame is a
    /// key frame. Default: false.
    public var minimizesSize: Bool?
    /// Whether the encoder uses lossy or lossless compression for each frame of an animation, whichever is smaller.
    /// Default: false.
    public var mixesFrames: Bool?

    /// Creates the default options.
    public init() {}

    /// A kind of picture for which libwebp has specific default settings.
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
        /// An image that consists of text.
        case text
    }

    /// Whether the file uses lossless compression, because ``lossless`` is true or ``nearLossless`` is below 100.
    var isLossless: Bool { lossless || nearLossless ?? 100 < 100 }
}
#endif
