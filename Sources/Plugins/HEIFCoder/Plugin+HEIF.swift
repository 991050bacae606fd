#if HEIF
import CHEIF
public import Calotype

extension Plugin {
    /// A plugin that reads and writes HEIC and AVIF.
    public static let heif = Plugin(
        name: "HEIF", libraries: [Library(name: "libheif", version: String(cString: heif_get_version()))],
        keys: [ContextKey<HEIFOptions>.heifOptions.declaration], limitations: HEIFCoder.limitations
    ) { $0.coders.add(HEIFCoder()) }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for HEIC and AVIF. It is unavailable in this build, because the package trait `HEIF` is off.
    @available(*, unavailable, message: "enable the trait 'HEIF' of the package 'calotype', which needs libheif")
    public static var heif: Plugin { Plugin(name: "HEIF") { _ in } }
}
#endif
