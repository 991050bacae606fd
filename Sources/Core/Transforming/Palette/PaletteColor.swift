/// A color of a picture's palette.
public struct PaletteColor: Sendable, Hashable {
    /// The color, opaque.
    public let color: PixelColor
    /// The part of the picture's visible pixels that are nearest to this color, 0 to 1.
    public let share: Double
}
