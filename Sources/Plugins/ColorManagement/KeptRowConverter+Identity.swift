#if COLOR
import Calotype

extension KeptRowConverter {
    /// Returns whether the converter changes no color by more than one level. Use it only for channels of eight bits.
    ///
    /// The profiles of most photographs practically describe sRGB. A conversion would only cost time and add noise.
    func changesNothing(isGray: Bool) -> Bool {
        let before = Self.samples(isGray: isGray)
        var after = before
        after.withUnsafeMutableBytes {
            var row = MutableRawSpan(_unsafeBytes: $0)
            convert(&row)
        }
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
