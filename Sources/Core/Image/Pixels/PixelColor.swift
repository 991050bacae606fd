/// One pixel's colour: straight alpha, each channel from 0 to 1.
public struct PixelColor: Hashable, Sendable {
    /// Red, 0...1.
    public var red: Double
    /// Green, 0...1.
    public var green: Double
    /// Blue, 0...1.
    public var blue: Double
    /// Alpha, 0 (nothing is seen) to 1 (nothing shows through).
    public var alpha: Double

    /// A colour; opaque unless told.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
