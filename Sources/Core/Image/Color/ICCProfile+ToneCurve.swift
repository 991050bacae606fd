extension ICCProfile {
    /// A function from the stored value of a channel to linear light. Both range from 0 to 1.
    ///
    /// Source: the transfer characteristics of ITU-T H.273, table 3.
    package struct ToneCurve: Sendable, Hashable {
        /// The exponent: from ``threshold`` on, light is `(scale * value + offset)` to this power.
        private var exponent: Double
        private var scale = 1.0
        private var offset = 0.0
        /// The slope of the linear part near black. Below ``threshold``, light is `slope * value`.
        private var slope = 0.0
        private var threshold = 0.0

        /// Creates a power curve: light is the stored value to the power of `exponent`. Returns nil for an exponent
        /// below 0.1 or above 10, because no device uses it.
        package init?(exponent: Double) {
            guard exponent >= 0.1, exponent <= 10 else { return nil }
            self.exponent = exponent
        }

        /// Creates the curve of a code point in ITU-T H.273 (transfer characteristics); nil if it is not supported.
        ///
        /// PQ (16) and HLG (18) are not supported, because they describe light brighter than white.
        package init?(codePoint: UInt8) {
            switch codePoint {
            case 1, 6, 14, 15: self = .bt709
            case 4: self.init(exponent: 2.2)
            case 5: self.init(exponent: 2.8)
            case 8: self.init(exponent: 1)
            case 13: self = .sRGB
            default: return nil
            }
        }

        /// The tone curve of sRGB, which IEC 61966-2-1 defines.
        package static let sRGB = ToneCurve(exponent: 2.4, excess: 0.055, slope: 12.92, threshold: 0.04045)

        /// The inverse of the transfer function of ITU-R BT.709. The constants have enough digits for the linear part
        /// and the power part to meet without a step.
        package static let bt709 = ToneCurve(
            exponent: 1 / 0.45, excess: 0.09929682680944, slope: 4.5, threshold: 4.5 * 0.018053968510807)

        /// Creates the inverse of a function with two parts: `slope * light` near black, and
        /// `(1 + excess) * pow(light, 1 / exponent) - excess` for stored values of at least `threshold`.
        private init(exponent: Double, excess: Double, slope: Double, threshold: Double) {
            self.exponent = exponent
            scale = 1 / (1 + excess)
            offset = excess / (1 + excess)
            self.slope = 1 / slope
            self.threshold = threshold
        }

        /// The curve as the body of a tag of type `parametricCurveType`.
        var element: [UInt8] {
            let isPower = threshold == 0
            let numbers = isPower ? [exponent] : [exponent, scale, offset, slope, threshold]
            let content: [UInt8] = [0, isPower ? 0 : 3, 0, 0]
            return ICCProfile.element("para", content + numbers.flatMap { ICCProfile.bigEndian(ICCProfile.fixed($0)) })
        }
    }
}
