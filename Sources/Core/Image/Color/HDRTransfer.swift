#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A transfer function of pictures with light beyond white.
///
/// Light of 1 is the white of other pictures, 203 candelas per square meter (ITU-R BT.2408-7, section 2.2).
///
/// Source: ITU-R BT.2100-2, tables 4 and 5.
package enum HDRTransfer: Sendable {
    /// Levels of the light on the display, whatever the display can show.
    case pq
    /// Levels of the light in the scene, meant here for a display of 1,000 candelas per square meter.
    case hlg

    /// The light of white, in candelas per square meter.
    static let white = 203.0
    /// The peak light, in candelas per square meter, of the display that HLG is meant for, and of the display that PQ
    /// is graded for if a file does not say it.
    static let usualPeak = 1_000.0

    /// Creates the function with this number in ITU-T H.273; nil for functions without light beyond white.
    package init?(codePoint: Int) {
        switch codePoint {
        case 16: self = .pq
        case 18: self = .hlg
        default: return nil
        }
    }

    // MARK: PQ

    /// Returns the light on the display for a PQ level of 0...1.
    static func light(ofPQ level: Double) -> Double {
        let root = pow(level, 1 / m2)
        return 10_000 / white * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// Returns the PQ level, 0...1, for a light on the display.
    static func pqLevel(ofLight light: Double) -> Double {
        let power = pow(max(light, 0) * white / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    private static let m1 = 2_610.0 / 16_384
    private static let m2 = 2_523.0 / 4_096 * 128
    private static let c1 = 3_424.0 / 4_096
    private static let c2 = 2_413.0 / 4_096 * 32
    private static let c3 = 2_392.0 / 4_096 * 32

    // MARK: HLG

    /// Returns the light in the scene, 0...1, for an HLG level of 0...1.
    static func sceneLight(ofHLG level: Double) -> Double {
        level <= 0.5 ? level * level / 3 : (exp((level - hlgC) / hlgA) + hlgB) / 12
    }

    /// The exponent of the scene's luminance on a display of the usual peak, minus one.
    static let hlgGamma = 0.2

    private static let hlgA = 0.17883277
    private static let hlgB = 1 - 4 * hlgA
    private static let hlgC = 0.5 - hlgA * log(4 * hlgA)
}
