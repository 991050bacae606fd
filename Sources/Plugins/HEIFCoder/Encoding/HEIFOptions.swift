#if HEIF
/// Options for writing HEIC and AVIF.
///
/// As text, settings stand between commas: `bitDepth=10,chroma=4:4:4,speed=3`.
public struct HEIFOptions: Sendable, Hashable {
    /// Whether encoding loses nothing but by rounding to ``bitDepth``. Default: false.
    ///
    /// The quality of the request and ``chroma-swift.property`` have no meaning then: colors are stored as red, green
    /// and blue.
    public var lossless = false
    /// The bits of a sample: 8, 10 or 12. Default: nil, 8 for pixels of 8 bits, else 10, or 12 of a lossless file. An
    /// AVIF cannot have 10 with libheif before version 1.15.2: there the default is 12.
    public var bitDepth: Int?
    /// The number of pixels that share a sample of color. Default: ``Chroma/quarter``.
    public var chroma = Chroma.quarter
    /// The encoder's speed: 0 (slowest, smallest files) to 9 (fastest, largest). Default: nil, the encoder's own.
    public var speed: Int?

    /// Creates the default options.
    public init() {}

    /// A number of pixels that share a sample of color.
    public enum Chroma: String, Sendable, Hashable, CaseIterable {
        /// Each pixel has a sample of its own (4:4:4).
        case full = "4:4:4"
        /// Two pixels beside each other share a sample (4:2:2).
        case halfWidth = "4:2:2"
        /// Four pixels in a square share a sample (4:2:0).
        case quarter = "4:2:0"
    }
}
#endif
