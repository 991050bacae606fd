import Calotype

extension PixelColor {
    /// The color with alpha from 0 to 1 and channels that are numbers, so that drawing with it gives numbers.
    var limited: PixelColor {
        func number(_ channel: Double) -> Double { channel.isNaN ? 0 : min(max(channel, -1000), 1000) }
        return PixelColor(
            red: number(red), green: number(green), blue: number(blue), alpha: min(max(number(alpha), 0), 1))
    }

    /// Whether red, green and blue are equal.
    var isGray: Bool { red == green && green == blue }
}
