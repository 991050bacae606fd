#if HEIF
/// Options for writing HEIC and AVIF.
///
/// The text form is a list separated by commas: `bitDepth=10,chroma=4:4:4,speed=3`.
public struct HEIFOptions: Sendable, Hashable {
    /// Whether encoding is lossless, apart from rounding to ``bitDepth``. Default: false.
    ///
    /// If true, colors are stored as red, green and blue, and ``chroma-swift.property`` has no effect. The quality of
    /// the request then affects only an embedded thumbnail, which is always lossy.
    public var lossless = false
    /// The number of bits of a channel: 8, 10 or 12. Default: nil, for a number that depends on the image.
    ///
    /// If this is nil, images with 8 bits per channel are written with 8 bits. Images with more bits are written with
    /// 10 bits, or with 12 bits if ``lossless`` is true.
    ///
    /// libheif before version 1.15.2 cannot write AVIF with 10 bits. When AVIF is written with such a version, nil
    /// selects 12 bits instead of 10, and the value 10 makes encoding fail.
    public var bitDepth: Int?
    /// The chroma subsampling, that is, the number of pixels that share a chroma sample. Default: ``Chroma/quarter``.
    public var chroma = Chroma.quarter
    /// The speed of the encoder: 0 (slowest, smallest files) to 9 (fastest, largest files). A number outside this range
    /// is clamped. Default: nil, for the default of the encoder.
    public var speed: Int?

    /// Creates the default options.
    public init() {}

    /// A chroma subsampling: the number of pixels that share a chroma sample.
    public enum Chroma: String, Sendable, Hashable, CaseIterable {
        /// 4:4:4: each pixel has its own chroma sample.
        case full = "4:4:4"
        /// 4:2:2: two horizontal neighbors share a chroma sample.
        case halfWidth = "4:2:2"
        /// 4:2:0: a square of four pixels shares a chroma sample.
        case quarter = "4:2:0"
    }
}
#endif
