#if HEIF
/// Options for writing HEIC and AVIF.
///
/// The text form is a list separated by commas: `bitDepth=10,chroma=4:4:4,speed=3`.
public struct HEIFOptions: Sendable, Hashable {
    /// Whether encoding is lossless, apart from rounding to ``bitDepth``. Default: false.
    ///
    /// If true, the quality of the request and ``chroma-swift.property`` have no effect, and colors are stored as red,
    /// green and blue.
    public var lossless = false
    /// The number of bits of a sample: 8, 10 or 12. Default: nil, which means 8 for pixels of 8 bits, and otherwise 10,
    /// or 12 for a lossless file. Before version 1.15.2 libheif cannot write an AVIF with 10 bits; the default is 12
    /// there.
    public var bitDepth: Int?
    /// The number of pixels that share a chroma sample. Default: ``Chroma/quarter``.
    public var chroma = Chroma.quarter
    /// The speed of the encoder: 0 (slowest, smallest files) to 9 (fastest, largest files). Default: nil, the encoder's
    /// own default.
    public var speed: Int?

    /// Creates the default options.
    public init() {}

    /// The number of pixels that share a chroma sample.
    public enum Chroma: String, Sendable, Hashable, CaseIterable {
        /// Each pixel has its own sample (4:4:4).
        case full = "4:4:4"
        /// Two horizontal neighbors share a sample (4:2:2).
        case halfWidth = "4:2:2"
        /// A square of four pixels shares a sample (4:2:0).
        case quarter = "4:2:0"
    }
}
#endif
