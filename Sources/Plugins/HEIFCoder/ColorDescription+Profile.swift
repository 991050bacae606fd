#if HEIF
import Calotype

extension ColorDescription {
    /// Returns the color profile for this description. Unspecified and unknown code points count as those of sRGB.
    /// - Parameter keepsLight: Whether a picture in PQ or HLG is delivered as linear light, with a linear profile.
    func profile(isGray: Bool, keepsLight: Bool) -> ColorProfile {
        let told = (UInt8(clamping: primaries), UInt8(clamping: transfer))
        let primaries = ICCProfile.Primaries(codePoint: told.0) ?? .sRGB
        // The name is rarely needed, so it is computed on demand.
        var name: String { "CICP \(told.0)/\(told.1)" }
        if keepsLight, HDRTransfer(codePoint: transfer) != nil, let linear = ICCProfile.ToneCurve(exponent: 1) {
            return ICCProfile(primaries, linear, name: name + " as light").map { .icc($0.data) } ?? .sRGB
        }
        let curve = ICCProfile.ToneCurve(codePoint: told.1) ?? .sRGB
        guard curve != .sRGB || (primaries != .sRGB && !isGray) else { return .sRGB }
        guard !isGray else { return .icc(ICCProfile(grayWith: curve, name: name).data) }
        return ICCProfile(primaries, curve, name: name).map { .icc($0.data) } ?? .sRGB
    }
}
#endif
