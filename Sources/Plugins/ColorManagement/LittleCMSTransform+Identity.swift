#if COLOR
import Calotype

extension LittleCMSTransform {
    /// Whether a transform of eight bits, from gray or red, green and blue, leaves every colour where it is, or moves
    /// it by one level at most.
    ///
    /// There are dozens of profiles that mean sRGB and differ in their last digits, and most photographs have one of
    /// them: to convert it would be nothing but time and noise.
    var changesNothing: Bool {
        let before = Self.samples(isGray: channels == .gray)
        var after = before
        after.withUnsafeMutableBytes { apply(to: $0.baseAddress!, count: before.count / 4) }
        return zip(before, after).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// All grays, and where there are any, colours from everywhere.
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
