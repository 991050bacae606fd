#if PNG
public import Calotype

extension ContextKey where Value == Int {
    /// The compression level of written PNGs, from 0 (none) to 9 (smallest and slowest). Default: 6.
    ///
    /// With the trait `DEFLATE`, a picture whose rows take less than 4 KiB is compressed at the next level. So is a
    /// larger one for which that is worth its time. A picture of flat areas or with a palette may be compressed at the
    /// level below. Cached variants are compressed as fast as possible, whatever the level.
    public static let pngCompressionLevel = ContextKey(
        "pngCompressionLevel", default: 6, in: 0...9,
        summary: "The compression level of written PNGs, from 0 (none) to 9 (smallest and slowest).")
}

extension ContextKey where Value == Bool {
    /// Whether the encoder examines the pixels to find a lossless form of the PNG with fewer bits. Default: true.
    ///
    /// Fewer bits suffice if all pixels are gray or opaque, or if there are few different colors.
    public static let pngReducesColors = ContextKey(
        "pngReducesColors", default: true,
        summary: "Write a PNG in fewer bits, without loss, if its pixels are gray, opaque or of few colors.")
}

extension ContextSetting {
    /// Sets the compression level of written PNGs, from 0 (none) to 9 (smallest and slowest). Default: 6. A level
    /// outside this range is clamped.
    public static func pngCompressionLevel(_ level: Int) -> ContextSetting {
        .set(.pngCompressionLevel, to: min(max(level, 0), 9))
    }

    /// Sets whether the encoder examines the pixels to find a lossless form of the PNG with fewer bits. Default: true.
    ///
    /// Fewer bits suffice if all pixels are gray or opaque, or if there are few different colors. If false, bits are
    /// saved only if the decoder or transform that made the pixels has marked them as gray or opaque.
    public static func pngReducesColors(_ isOn: Bool) -> ContextSetting { .set(.pngReducesColors, to: isOn) }
}
#endif
