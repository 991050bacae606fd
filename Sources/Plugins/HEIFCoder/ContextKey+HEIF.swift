#if HEIF
public import Calotype

extension ContextKey where Value == HEIFOptions {
    /// The options for writing HEIC and AVIF. Default: lossy, with one chroma sample for every four pixels.
    public static let heifOptions = ContextKey(
        "heifOptions", default: HEIFOptions(),
        summary: "The options of written HEIC and AVIF: lossless, bit depth, chroma, speed.")
}

extension ContextSetting {
    /// Sets the options for writing HEIC and AVIF. Default: lossy, with one chroma sample for every four pixels.
    public static func heifOptions(_ options: HEIFOptions) -> ContextSetting { .set(.heifOptions, to: options) }
}
#endif
