/// A color with straight alpha. The usual range of each channel is 0 to 1; the channels of a floating-point pixel can
/// be outside it.
public struct PixelColor: Hashable, Sendable {
    /// Red, usually from 0 to 1.
    public var red: Double
    /// Green, usually from 0 to 1.
    public var green: Double
    /// Blue, usually from 0 to 1.
    public var blue: Double
    /// Alpha, 0 (transparent) to 1 (opaque).
    public var alpha: Double

    /// Creates a color; opaque by default.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
