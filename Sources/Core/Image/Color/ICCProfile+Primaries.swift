extension ICCProfile {
    /// The chromaticities of red, green, blue and white: the coordinates x and y of each in the CIE 1931 diagram.
    package struct Primaries: Sendable, Hashable {
        package let red: SIMD2<Double>
        package let green: SIMD2<Double>
        package let blue: SIMD2<Double>
        package let white: SIMD2<Double>

        package init(red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double> = d65) {
            self.red = red
            self.green = green
            self.blue = blue
            self.white = white
        }

        /// Creates the primaries of a code point in ITU-T H.273. Returns nil for code points that are not supported.
        package init?(codePoint: UInt8) {
            switch codePoint {
            case 1: self = .sRGB
            case 5: self.init(red: [0.640, 0.330], green: [0.290, 0.600], blue: [0.150, 0.060])
            case 6: self.init(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070])
            case 9: self.init(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046])
            case 11:
                self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351])
            case 12: self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
            default: return nil
            }
        }

        /// The primaries of sRGB, which are those of ITU-R BT.709.
        package static let sRGB = Primaries(red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060])

        /// The white point D65, which most screens use.
        package static let d65 = SIMD2(0.3127, 0.3290)
    }
}
