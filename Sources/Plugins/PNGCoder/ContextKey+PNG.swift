#if PNG
public import Calotype

extension ContextKey where Value == Int {
    /// How hard to compress a PNG.
    public static let pngCompressionLevel = ContextKey(
        "pngCompressionLevel", default: 6, in: 0...9,
        summary: "How hard to compress a PNG that is written, from 0 (not at all) to 9 (smallest and slowest).")
}

extension ContextSetting {
    /// How hard to compress a PNG that is written, 0 (not at all) to 9 (smallest and slowest). Default: 6.
    public static func pngCompressionLevel(_ level: Int) -> ContextSetting {
        .set(.pngCompressionLevel, to: min(max(level, 0), 9))
    }
}
#endif
