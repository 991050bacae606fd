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
    /// Levels of light as it is on the display, whatever that can show.
    case pq
    /// Levels of light as it is in the scene, meant here for a display of 1,000 candelas per square meter.
    case hlg

    /// The light of white, in candelas per square meter.
    static let white = 203.0
    /// The most light of the display that HLG is meant for, and of that for which PQ is graded unless it is told.
    static let usualPeak = 1_000.0

    /// The transfer characteristics with this number in ITU-T H.273; nil for those without light beyond white.
    package init?(codePoint: Int) {
        switch codePoint {
        case 16: self = .pq
        case 18: self = .hlg
        default: return nil
        }
    }

    // MARK: PQ

    /// Returns the light on the display of a level of 0...1 of PQ.
    static func light(ofPQ level: Double) -> Double {
        let root = pow(level, 1 / m2)
        return 10_000 / white * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// Returns the level of PQ, 0...1, of light on the display.
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

    /// Returns the light in the scene, 0...1, of a level of 0...1 of HLG.
    static func sceneLight(ofHLG level: Double) -> Double {
        level <= 0.5 ? level * level / 3 : (exp((level - hlgC) / hlgA) + hlgB) / 12
    }

    /// The exponent of the scene's luminance on a display of the usual peak, less one.
    static let hlgGamma = 0.2

    private static let hlgA = 0.17883277
    private static let hlgB = 1 - 4 * hlgA
    private static let hlgC = 0.5 - hlgA * log(4 * hlgA)
}
