/// A color with straight alpha. Each channel is from 0 to 1, but can be outside this range for a floating-point pixel.
public struct PixelColor: Hashable, Sendable {
    /// Red, 0...1.
    public var red: Double
    /// Green, 0...1.
    public var green: Double
    /// Blue, 0...1.
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
