#if GIF
public import Calotype

extension ContextKey where Value == GIFOptions {
    /// The options for writing GIF. Default: 256 colors, dithered.
    public static let gifOptions = ContextKey(
        "gifOptions", default: GIFOptions(), summary: "The number of colors and the dithering of written GIFs."
    )
}

extension ContextSetting {
    /// Sets the options for writing GIF. Default: 256 colors, dithered.
    public static func gifOptions(_ options: GIFOptions) -> ContextSetting { .set(.gifOptions, to: options) }
}
#endif
