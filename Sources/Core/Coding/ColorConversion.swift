/// Which colours are to be turned into which.
public struct ColorConversion: Sendable {
    /// The profile that the pixels have.
    public let source: ColorProfile
    /// The profile that they are to have.
    public let target: ColorProfile
    /// How each pixel lies in memory.
    public let format: PixelFormat
}
