#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The curve of sRGB, from levels to light and back, as functions and as tables for the kernels.
///
/// Source: IEC 61966-2-1.
package enum SRGBCurve {
    /// The value of full light in the tables for 8 bits: 255 * 64, which is also the value of level 255 in packed rows.
    private static let fullLight = 16_320

    /// The light value of each 8-bit level. Light values range from 0 to 16,320.
    static let light8: [Int16] = (0...255).map { level in
        Int16((light(Double(level) / 255) * Double(fullLight)).rounded())
    }

    /// The nearest 8-bit level for each light value from 0 to 16,320. Converting a level with `light8` and back with
    /// this table gives the same level.
    static let level8: [UInt8] = (0...fullLight).map { light in
        UInt8((level(Double(light) / Double(fullLight)) * 255).rounded())
    }

    /// The light value of each 16-bit level. Light values range from 0 to 1.
    static let light16: [Float] = (0...65_535).map { Float(light(Double($0) / 65_535)) }

    package static func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    package static func level(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
