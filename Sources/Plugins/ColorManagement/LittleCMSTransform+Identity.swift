#if COLOR
import Calotype

extension LittleCMSTransform {
    /// Whether the transform changes no color by more than one level. Use it only for eight-bit gray or RGB input.
    ///
    /// The profiles of most photographs practically describe sRGB. A conversion would only cost time and add noise.
    var changesNothing: Bool {
        let before = Self.samples(isGray: channels == .gray)
        var after = before
        after.withUnsafeMutableBytes { apply(to: $0.baseAddress!, count: before.count / 4) }
        return zip(before, after).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// Returns the pixels to compare: all 256 grays and, unless `isGray` is true, a grid of 18 levels per channel.
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
