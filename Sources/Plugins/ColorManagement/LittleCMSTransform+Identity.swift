#if COLOR
import Calotype

extension LittleCMSTransform {
    /// Whether an eight-bit transform, from gray or from red, green and blue, changes every color by at most one level.
    ///
    /// Dozens of profiles mean sRGB and differ in their last digits, and most photographs have one of them. Converting
    /// those would only cost time and add noise.
    var changesNothing: Bool {
        let before = Self.samples(isGray: channels == .gray)
        var after = before
        after.withUnsafeMutableBytes { apply(to: $0.baseAddress!, count: before.count / 4) }
        return zip(before, after).allSatisfy { max($0, $1) - min($0, $1) <= 1 }
    }

    /// Returns all grays, and for color profiles also colors from the whole range.
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
