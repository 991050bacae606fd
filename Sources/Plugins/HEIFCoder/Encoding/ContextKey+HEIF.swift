#if HEIF
public import Calotype

extension ContextKey where Value == HEIFOptions {
    /// The options for writing HEIC and AVIF.
    public static let heifOptions = ContextKey(
        "heifOptions", default: HEIFOptions(), summary: "How a HEIC or an AVIF is written: lossless, deeper, faster.")
}

extension ContextSetting {
    /// Sets the options for writing HEIC and AVIF. Default: lossy, with a sample of color for four pixels.
    public static func heifOptions(_ options: HEIFOptions) -> ContextSetting { .set(.heifOptions, to: options) }
}
#endif
