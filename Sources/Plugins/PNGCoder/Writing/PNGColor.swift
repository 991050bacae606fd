#if PNG
import CPNGShim
import Calotype

/// The colors of a PNG, which up to five chunks tell, and the profile that they mean.
///
/// Source: W3C PNG, third edition, section 4.3. The first that is understood of cICP, iCCP, sRGB, and gAMA with cHRM
/// counts alone. What makes no sense is not understood; what is not said is as in sRGB.
struct PNGColor {
    private let header: cpng_header

    /// To be used while the reader of the header is there.
    init(_ header: cpng_header) {
        self.header = header
    }

    var profile: ColorProfile {
        if let profile = codePointProfile { return profile }
        if let embedded = header.profile {
            return .icc(Data(bytes: embedded, count: header.profile_length))
        }
        guard header.color_chunks.srgb == nil else { return .sRGB }
        let gamma = header.color_chunks.gama.map { Self.numbers(at: $0, count: 1)[0] }
        // Of gray they would tell the white alone, and white stays white.
        let chromaticities = header.is_gray ? nil : header.color_chunks.chrm.map { Self.numbers(at: $0, count: 8) }
        return profile(gamma: gamma, chromaticities: chromaticities)
    }

    /// Whether the profile that is meant is another one because what was embedded is damaged.
    var isProfileDamaged: Bool { header.is_profile_damaged && codePointProfile == nil }

    private func profile(
        _ primaries: ICCProfile.Primaries, _ curve: ICCProfile.ToneCurve, name: String
    ) -> ColorProfile? {
        guard curve != .sRGB || (primaries != .sRGB && !header.is_gray) else { return .sRGB }
        guard !header.is_gray else { return .icc(ICCProfile(grayWith: curve, name: name).data) }
        return ICCProfile(primaries, curve, name: name).map { .icc($0.data) }
    }

    // MARK: cICP

    /// Nil without the chunk, and for what such a profile cannot say: light beyond white (PQ and HLG), numbers that are
    /// no red, green and blue, and levels that leave room below black.
    private var codePointProfile: ColorProfile? {
        guard let cicp = header.color_chunks.cicp, cicp[2] == 0, cicp[3] == 1,
            let primaries = ICCProfile.Primaries(codePoint: cicp[0]),
            let curve = ICCProfile.ToneCurve(codePoint: cicp[1])
        else { return nil }
        return profile(primaries, curve, name: "PNG cICP \(cicp[0])/\(cicp[1])")
    }

    // MARK: gAMA and cHRM

    /// White, red, green and blue of sRGB as the chunk has them.
    private static let sRGBChromaticities: [Int32] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    /// Chromaticities as near as this are meant to be sRGB's: many are told with two digits. libpng's rule.
    private static let chromaticityTolerance: Int32 = 1_000
    /// The value that stands for sRGB's curve, which is no power.
    private static let sRGBGamma = 45_455.0
    /// A gamma as near as this part is meant to be that one. libpng's rule.
    private static let gammaTolerance = 0.05

    private func profile(gamma: Int32?, chromaticities: [Int32]?) -> ColorProfile {
        let primaries = chromaticities.map(Self.primaries) ?? .sRGB
        var curve = ICCProfile.ToneCurve.sRGB
        if let gamma, primaries != .sRGB || abs(Self.sRGBGamma / Double(gamma) - 1) > Self.gammaTolerance {
            curve = ICCProfile.ToneCurve(exponent: 100_000 / Double(gamma)) ?? .sRGB
        }
        // Without chromaticities there is always one.
        return profile(primaries, curve, name: "PNG gAMA/cHRM") ?? profile(gamma: gamma, chromaticities: nil)
    }

    private static func primaries(_ chromaticities: [Int32]) -> ICCProfile.Primaries {
        let isSRGB = zip(chromaticities, sRGBChromaticities).allSatisfy { told, exact in
            (exact - chromaticityTolerance...exact + chromaticityTolerance).contains(told)
        }
        guard !isSRGB else { return .sRGB }
        let points = (0..<4).map { SIMD2(Double(chromaticities[2 * $0]), Double(chromaticities[2 * $0 + 1])) / 100_000 }
        return ICCProfile.Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    }

    private static func numbers(at bytes: UnsafePointer<UInt8>, count: Int) -> [Int32] {
        (0..<count).map { index in
            (0..<4).reduce(0) { $0 << 8 | Int32(bytes[4 * index + $1]) }
        }
    }
}
#endif
