/// Which colours are to be turned into which.
public struct ColorConversion: Sendable {
    /// The profile that the pixels have.
    public let source: ColorProfile
    /// The profile that they are to have.
    public let target: ColorProfile
    /// How each pixel lies in memory.
    public let format: PixelFormat
    /// What the channels hold before; afterwards they are red, green, blue and alpha.
    public let channels: RowChannels
    /// Whether red, green and blue are equal everywhere and the source profile is one of gray.
    public let isGray: Bool

    /// A conversion; of red, green, blue and alpha that need not be gray unless told.
    public init(
        source: ColorProfile, target: ColorProfile, format: PixelFormat, channels: RowChannels = .rgba,
        isGray: Bool = false
    ) {
        self.source = source
        self.target = target
        self.format = format
        self.channels = channels
        self.isGray = isGray
    }
}
