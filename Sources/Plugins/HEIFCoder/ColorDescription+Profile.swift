#if HEIF
import Calotype

extension ColorDescription {
    /// Returns the color profile that this color description specifies. Unspecified and unknown code points count as
    /// those of sRGB.
    /// - Parameters:
    ///   - isGray: Whether the picture is gray.
    ///   - keepsLight: Whether the pixels of a picture in PQ or HLG are delivered as linear light. If true, the profile
    ///     of such a picture is linear.
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
