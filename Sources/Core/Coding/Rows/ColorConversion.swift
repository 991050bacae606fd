/// The parameters of a color conversion: the source and target profiles, and the form of the pixels to convert.
public struct ColorConversion: Sendable {
    /// The profile of the pixels before the conversion.
    public let source: ColorProfile
    /// The profile of the pixels after the conversion.
    public let target: ColorProfile
    /// The memory layout of each pixel.
    public let format: PixelFormat
    /// The meaning of the channels before the conversion. After it, the channels are red, green, blue and alpha.
    public let channels: RowChannels
    /// Whether the source profile is a gray profile and the pixels are gray: their red, green and blue are known or
    /// claimed to be equal everywhere.
    public let isGray: Bool
    /// The maximum number of bytes that the curves and tables of a profile take in memory. A profile that needs more is
    /// refused.
    public let maxProfileTableBytes: Int

    /// Creates a conversion. By default, the pixels have red, green, blue and alpha, and may have any color.
    public init(
        source: ColorProfile, target: ColorProfile, format: PixelFormat, channels: RowChannels = .rgba,
        isGray: Bool = false, maxProfileTableBytes: Int = ContextKey.maxProfileTableBytes.defaultValue
    ) {
        self.source = source
        self.target = target
        self.format = format
        self.channels = channels
        self.isGray = isGray
        self.maxProfileTableBytes = maxProfileTableBytes
    }
}
