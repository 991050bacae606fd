#if WEBP
public import Calotype

extension ContextKey where Value == WebPOptions {
    /// The options for writing WebP. Default: lossy, with libwebp's default preset.
    public static let webpOptions = ContextKey(
        "webpOptions", default: WebPOptions(), summary: "The options of written WebPs: lossless, speed, size.")
}

extension ContextSetting {
    /// Sets the options for writing WebP. Default: lossy, with libwebp's default preset.
    public static func webpOptions(_ options: WebPOptions) -> ContextSetting { .set(.webpOptions, to: options) }
}
#endif
