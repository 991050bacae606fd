#if COLOR
import Calotype

extension LittleCMSTransform {
    /// Whether the transform changes no color by more than one level. Use this only for eight-bit transforms from gray,
    /// or from red, green and blue.
    ///
    /// Most photographs have one of dozens of profiles that describe sRGB and differ only in their last digits.
    /// Converting such photographs would only cost time and add noise.
    var changesNothing: Bool {
        let before = Self.samples(isGray: channels == .gray)
        var after = before
        after.withUnsafeMutableBytes { apply(to: $0.baseAddress!, count: before.count / 4) }
        return zip(before, after).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// Returns the pixels for the comparison: all 256 grays and, unless `isGray` is true, all combinations of 18 levels
    /// of each channel.
    private static func samples(isGray: Bool) -> [UInt8] {
        var pixels: [UInt8] = []
        for level: UInt8 in 0...255 { pixels += [level, level, level, 255] }
        guard !isGray else { return pixels }
        let levels = (0...17).map { UInt8(15 * $0) }
        for red in levels {
            for green in levels {
                for blue in levels { pixels += [red, green, blue, 255] }
            }
        }
        return pixels
    }
}
#endif
