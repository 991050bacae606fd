#if PNG
import CPNGShim
import Calotype

/// The color information of a PNG, as a color profile.
///
/// The first usable chunk counts: cICP, iCCP, sRGB, or gAMA with cHRM. If either gAMA or cHRM is missing, the values of
/// sRGB take its place. Source: W3C PNG, third edition, section 4.3.
struct PNGColor {
    private let header: cpng_header

    /// Creates the color information from a header. The C reader owns the header's memory and must outlive this value.
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
        // A gray picture has no primaries, and its white is shown as white whatever the white point is.
        let chromaticities = header.is_gray ? nil : header.color_chunks.chrm.map { Self.numbers(at: $0, count: 8) }
        return profile(gamma: gamma, chromaticities: chromaticities)
    }

    /// Whether the embedded profile is damaged and was replaced. False if cICP takes precedence over the profile.
    var isProfileDamaged: Bool { header.is_profile_damaged && codePointProfile == nil }

    private func profile(
        _ primaries: ICCProfile.Primaries, _ curve: ICCProfile.ToneCurve, name: String
    ) -> ColorProfile? {
        guard curve != .sRGB || (primaries != .sRGB && !header.is_gray) else { return .sRGB }
        guard !header.is_gray else { return .icc(ICCProfile(grayWith: curve, name: name).data) }
        return ICCProfile(primaries, curve, name: name).map { .icc($0.data) }
    }

    // MARK: cICP

    /// The profile for the code points of the cICP chunk. Nil if there is no such chunk, or if a profile cannot express
    /// the code points, as for PQ and HLG.
    private var codePointProfile: ColorProfile? {
        guard let cicp = header.color_chunks.cicp, cicp[2] == 0, cicp[3] == 1,
            let primaries = ICCProfile.Primaries(codePoint: cicp[0]),
            let curve = ICCProfile.ToneCurve(codePoint: cicp[1])
        else { return nil }
        return profile(primaries, curve, name: "PNG cICP \(cicp[0])/\(cicp[1])")
    }

    // MARK: gAMA and cHRM

    /// The chromaticities of sRGB, in units of 1/100,000: x and y of the white point, then of red, green and blue.
    private static let sRGBChromaticities: [Int32] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    /// The maximum difference from ``sRGBChromaticities`` that still counts as sRGB. A tolerance is needed because
    /// files often state only two digits. libpng uses the same value.
    private static let chromaticityTolerance: Int32 = 1_000
    /// The gamma that approximates the curve of sRGB, in units of 1/100,000.
    private static let sRGBGamma = 45_455.0
    /// The maximum relative difference from ``sRGBGamma`` that still counts as sRGB. libpng uses the same value.
    private static let gammaTolerance = 0.05

    private func profile(gamma: Int32?, chromaticities: [Int32]?) -> ColorProfile {
        let primaries = chromaticities.map(Self.primaries) ?? .sRGB
        var curve = ICCProfile.ToneCurve.sRGB
        if let gamma, primaries != .sRGB || abs(Self.sRGBGamma / Double(gamma) - 1) > Self.gammaTolerance {
            curve = ICCProfile.ToneCurve(exponent: 100_000 / Double(gamma)) ?? .sRGB
        }
        // Without chromaticities there is always a profile.
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
