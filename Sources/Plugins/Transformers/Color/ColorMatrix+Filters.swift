import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// The matrices of the named filters. Source: W3C, Filter Effects Module Level 1, sections 9.6 and 14.
extension ColorMatrix {
    /// Returns the matrix of `grayscale`: 0 changes nothing, 1 removes all color.
    static func grayscale(_ amount: Double) -> ColorMatrix {
        let rest = 1 - amount
        return ColorMatrix(
            red: [0.2126 + 0.7874 * rest, 0.7152 - 0.7152 * rest, 0.0722 - 0.0722 * rest, 0, 0],
            green: [0.2126 - 0.2126 * rest, 0.7152 + 0.2848 * rest, 0.0722 - 0.0722 * rest, 0, 0],
            blue: [0.2126 - 0.2126 * rest, 0.7152 - 0.7152 * rest, 0.0722 + 0.9278 * rest, 0, 0])
    }

    /// Returns the matrix of `sepia`: 0 changes nothing, 1 gives the colors of an old photograph.
    static func sepia(_ amount: Double) -> ColorMatrix {
        let rest = 1 - amount
        return ColorMatrix(
            red: [0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest, 0, 0],
            green: [0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest, 0, 0],
            blue: [0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest, 0, 0])
    }

    /// Returns the matrix of `invert`: 0 changes nothing, 1 gives the complement.
    static func invert(_ amount: Double) -> ColorMatrix { linear(slope: 1 - 2 * amount, constant: amount) }

    /// Returns the matrix of `brightness`: 0 gives black, 1 changes nothing.
    static func brightness(_ amount: Double) -> ColorMatrix { linear(slope: amount, constant: 0) }

    /// Returns the matrix of `contrast`: 0 gives gray, 1 changes nothing.
    static func contrast(_ amount: Double) -> ColorMatrix { linear(slope: amount, constant: 0.5 - 0.5 * amount) }

    /// Returns the matrix of `saturate`: 0 gives gray, 1 changes nothing.
    static func saturation(_ amount: Double) -> ColorMatrix {
        ColorMatrix(
            red: [0.213 + 0.787 * amount, 0.715 - 0.715 * amount, 0.072 - 0.072 * amount, 0, 0],
            green: [0.213 - 0.213 * amount, 0.715 + 0.285 * amount, 0.072 - 0.072 * amount, 0, 0],
            blue: [0.213 - 0.213 * amount, 0.715 - 0.715 * amount, 0.072 + 0.928 * amount, 0, 0])
    }

    /// Returns the matrix of `hue-rotate`, which turns colors around the axis of grays.
    static func hue(degrees: Double) -> ColorMatrix {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        let (c, s) = (cos(angle), sin(angle))
        return ColorMatrix(
            red: [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0],
            green: [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.14, 0.072 - c * 0.072 - s * 0.283, 0, 0],
            blue: [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0])
    }

    /// Returns the matrix that gives black the color `dark`, white the color `light`, and others a mixture that depends
    /// on their gray.
    static func duotone(dark: PixelColor, light: PixelColor) -> ColorMatrix {
        func row(_ dark: Double, _ light: Double) -> [Double] {
            [0.2126, 0.7152, 0.0722].map { $0 * (light - dark) } + [0, dark]
        }
        return ColorMatrix(
            red: row(dark.red, light.red), green: row(dark.green, light.green), blue: row(dark.blue, light.blue))
    }

    private static func linear(slope: Double, constant: Double) -> ColorMatrix {
        ColorMatrix(
            red: [slope, 0, 0, 0, constant], green: [0, slope, 0, 0, constant], blue: [0, 0, slope, 0, constant])
    }
}
