#if PNG
public import Calotype

extension ContextKey where Value == Int {
    /// The effort of compressing a PNG.
    public static let pngCompressionLevel = ContextKey(
        "pngCompressionLevel", default: 6, in: 0...9,
        summary: "The compression level of written PNGs, from 0 (none) to 9 (smallest and slowest).")
}

extension ContextKey where Value == Bool {
    /// Whether pixels are looked at, to write a PNG in fewer bits.
    public static let pngReducesColors = ContextKey(
        "pngReducesColors", default: true,
        summary: "Write a PNG in fewer bits, without loss, if its pixels are gray, opaque or of few colors.")
}

extension ContextSetting {
    /// Sets the effort of compressing a PNG that is written, 0 (none) to 9 (smallest and slowest). Default: 6.
    public static func pngCompressionLevel(_ level: Int) -> ContextSetting {
        .set(.pngCompressionLevel, to: min(max(level, 0), 9))
    }

    /// Whether a PNG is written in fewer bits, without loss, where its pixels are gray, opaque or of few colours. When
    /// off, only what is known of them without a look counts. Default: true.
    public static func pngReducesColors(_ isOn: Bool) -> ContextSetting { .set(.pngReducesColors, to: isOn) }
}
#endif
