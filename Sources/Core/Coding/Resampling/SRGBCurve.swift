#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Levels of sRGB as amounts of light and back, in the tables that the kernels take. Made when first asked for.
///
/// Source: IEC 61966-2-1.
enum SRGBCurve {
    /// Full light in the tables of 8 bits: what packed rows have for 255.
    private static let fullLight = 16_320

    /// The light of each level of 8 bits, 0...16,320.
    static let light8: [Int16] = (0...255).map { level in
        Int16((light(Double(level) / 255) * Double(fullLight)).rounded())
    }

    /// The level of 8 bits that is nearest to each light of 0...16,320. Gives every level back that `light8` is asked
    /// for: the levels of darkest colours, which are closest together, are still five lights apart.
    static let level8: [UInt8] = (0...fullLight).map { light in
        UInt8((level(Double(light) / Double(fullLight)) * 255).rounded())
    }

    /// The light of each level of 16 bits, 0...1.
    static let light16: [Float] = (0...65_535).map { Float(light(Double($0) / 65_535)) }

    static func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    static func level(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
