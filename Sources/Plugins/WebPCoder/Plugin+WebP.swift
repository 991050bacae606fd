#if WEBP
import CWebP
public import Calotype

extension Plugin {
    /// A plugin that reads and writes WebP.
    public static let webp = Plugin(
        name: "WebP",
        libraries: [
            library("libwebp", WebPGetDecoderVersion()), library("libwebpdemux", WebPGetDemuxVersion()),
            library("libwebpmux", WebPGetMuxVersion()),
        ],
        keys: [ContextKey<WebPOptions>.webpOptions.declaration]
    ) { $0.coders.add(WebPCoder()) }

    /// Returns the description of a library. `version` has eight bits each for the major, minor and revision numbers.
    private static func library(_ name: String, _ version: Int32) -> Library {
        Library(name: name, version: "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)")
    }
}
#else
public import Calotype

extension Plugin {
    /// A plugin that this build does not contain, because the package trait `WEBP` is off.
    @available(*, unavailable, message: "enable the trait 'WEBP' of the package 'calotype', which needs libwebp")
    public static var webp: Plugin { Plugin(name: "WebP") { _ in } }
}
#endif
