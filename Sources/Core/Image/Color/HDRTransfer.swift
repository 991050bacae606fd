#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A transfer function of pictures that can be brighter than white (HDR). Source: ITU-R BT.2100-2, tables 4 and 5.
///
/// A level is the stored value of a channel, scaled to the range 0 to 1. Light on the display is relative to white: 1
/// is the white of SDR pictures, 203 candelas per square meter (ITU-R BT.2408-7, section 2.2).
package enum HDRTransfer: Sendable {
    /// PQ: levels stand for the light on the display, independent of what the display can show.
    case pq
    /// HLG: levels stand for the light in the scene. This light is converted to the light on a display whose peak is
    /// 1,000 candelas per square meter.
    case hlg

    /// The luminance of white, in candelas per square meter.
    static let white = 203.0
    /// The peak luminance, in candelas per square meter, of the display that HLG is converted for. Also assumed for a
    /// PQ picture whose file does not state its peak.
    static let usualPeak = 1_000.0

    /// Creates a transfer function from its code point in ITU-T H.273: PQ (16) or HLG (18). Returns nil for all others.
    package init?(codePoint: Int) {
        switch codePoint {
        case 16: self = .pq
        case 18: self = .hlg
        default: return nil
        }
    }

    // MARK: PQ

    /// Returns the light on the display for a PQ level of 0 to 1. A light of 1 is white (``white``).
    static func light(ofPQ level: Double) -> Double {
        let root = pow(level, 1 / m2)
        return 10_000 / white * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// Returns the PQ level, 0 to 1, for a light on the display. A light of 1 is white (``white``).
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

    /// Returns the linear light in the scene, from 0 to 1 (the scene's peak), for an HLG level from 0 to 1.
    static func sceneLight(ofHLG level: Double) -> Double {
        level <= 0.5 ? level * level / 3 : (exp((level - hlgC) / hlgA) + hlgB) / 12
    }

    /// HLG's system gamma minus one, for a display with the peak luminance ``usualPeak``. To get the light on the
    /// display relative to its peak, multiply the light in the scene by the scene's luminance to this power.
    static let hlgGamma = 0.2

    private static let hlgA = 0.17883277
    private static let hlgB = 1 - 4 * hlgA
    private static let hlgC = 0.5 - hlgA * log(4 * hlgA)
}
