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

    /// Whether red, green and blue are equal.
    package var isGray: Bool { red == green && green == blue }

    /// The channels as a pixel in floating point: finite numbers, with alpha from 0 to 1. NaN becomes 0.
    package var floats: SIMD4<Float> {
        let limit = Double(Float.greatestFiniteMagnitude)
        func finite(_ channel: Double) -> Float { channel.isNaN ? 0 : Float(min(max(channel, -limit), limit)) }
        return SIMD4(finite(red), finite(green), finite(blue), min(max(finite(alpha), 0), 1))
    }

    /// Transparent black.
    public static let clear = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)
    /// Opaque black.
    public static let black = PixelColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = PixelColor(red: 1, green: 1, blue: 1)
}
