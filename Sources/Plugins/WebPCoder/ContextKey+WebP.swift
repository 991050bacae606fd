#if WEBP
public import Calotype

extension ContextKey where Value == WebPOptions {
    /// How a WebP is written.
    public static let webpOptions = ContextKey(
        "webpOptions", default: WebPOptions(), summary: "How a WebP is written: lossless, faster, smaller.")
}

extension ContextSetting {
    /// How a WebP is written. Default: lossy, as libwebp does it by itself.
    public static func webpOptions(_ options: WebPOptions) -> ContextSetting { .set(.webpOptions, to: options) }
}
#endif
